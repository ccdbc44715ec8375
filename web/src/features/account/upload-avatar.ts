import { text } from '../../api/fields';
import * as z from '../../api/shape';
import { upload } from '../../api/upload';

const Uploaded = z.object({ img: text });

export function uploadAvatar(file: Blob, onProgress?: (share: number) => void) {
  return upload('/Member/uploadimg', { name: 'img', content: file, onProgress }, Uploaded);
}
