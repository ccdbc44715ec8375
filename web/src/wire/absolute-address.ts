import { ApiError } from './api-error';

/**
 * Returns an address from an answer of the shop unchanged. Throws an ApiError of the kind `shape` if it is not an
 * absolute URL.
 */
export function absoluteAddress(address: string | undefined): string {
  if (!URL.canParse(address ?? '')) throw new ApiError('shape', 'shape', '数据异常，请稍后再试');
  return address ?? '';
}
