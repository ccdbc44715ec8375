import { upload } from '../../api/client';
import { text } from '../../api/fields';
import * as z from '../../api/shape';

const Uploaded = z.object({ img: text });

export function uploadAvatar(file: Blob) {
  return upload('/Member/uploadimg', { name: 'img', content: file }, Uploaded);
}
