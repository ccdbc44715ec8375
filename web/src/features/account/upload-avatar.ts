import { UploadedPicture } from '../../wire/generated/UploadedPicture';
import { upload } from '../../wire/upload';

/** Uploads the customer's picture. `onProgress` receives the share that has been sent, from 0 to 1. */
export function uploadAvatar(file: Blob, onProgress?: (share: number) => void) {
  return upload('/Member/uploadimg', { name: 'img', content: file, onProgress }, UploadedPicture);
}
