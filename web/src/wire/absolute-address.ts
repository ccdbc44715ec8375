import { ApiError } from './api-error';

/**
 * Returns an address from an answer unchanged. Throws the error of an answer of another shape if it is not absolute.
 */
export function absoluteAddress(address: string | undefined): string {
  if (!URL.canParse(address ?? '')) throw new ApiError('shape', 'shape', '数据异常，请稍后再试');
  return address ?? '';
}
