import { ApiError } from './api-error';

/** An address of an answer, as it is. It fails as an answer of another shape if the address is not absolute. */
export function absoluteAddress(address: string | undefined): string {
  if (!URL.canParse(address ?? '')) throw new ApiError('shape', 'shape', '数据异常，请稍后再试');
  return address ?? '';
}
