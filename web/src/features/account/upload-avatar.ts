import * as z from 'zod/mini';
import { upload } from '../../api/client';
import { text } from '../../api/fields';

const Uploaded = z.object({ img: text });

export function uploadAvatar(file: Blob) {
  return upload('/Member/uploadimg', { name: 'img', content: file }, Uploaded);
}
