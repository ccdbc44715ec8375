import { ApiError } from './api-error';

/** Returns an address from an answer unchanged. Throws an ApiError of kind `shape` if it is not an absolute URL. */
export function absoluteAddress(address: string | undefined): string {
  if (!URL.canParse(address ?? '')) throw new ApiError('shape', 'shape', '数据异常，请稍后再试');
  return address ?? '';
}
