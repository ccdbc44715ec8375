import { text } from '../../wire/fields';
import * as z from '../../wire/shape';
import { upload } from '../../wire/upload';

const Uploaded = z.object({ img: text });

export function uploadAvatar(file: Blob, onProgress?: (share: number) => void) {
  return upload('/Member/uploadimg', { name: 'img', content: file, onProgress }, Uploaded);
}
