import * as v from 'valibot';
import { text } from '../../wire/fields';
import { upload } from '../../wire/upload';

const Uploaded = v.object({ img: text });

export function uploadAvatar(file: Blob, onProgress?: (share: number) => void) {
  return upload('/Member/uploadimg', { name: 'img', content: file, onProgress }, Uploaded);
}
