import * as v from 'valibot';
import { text } from '../../wire/fields';
import { upload } from '../../wire/upload';

const Uploaded = v.object({ img: text });

/** Uploads the customer's picture. `onProgress` receives the share that has been sent, from 0 to 1. */
export function uploadAvatar(file: Blob, onProgress?: (share: number) => void) {
  return upload('/Member/uploadimg', { name: 'img', content: file, onProgress }, Uploaded);
}
