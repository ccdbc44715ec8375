import { configure, isPermissionDenied, retryWhile } from '../../session/js-sdk';
import type { PageSignature } from '../../wire/generated/PageSignature';

/** The result of a scan. */
export type Scan = { kind: 'read'; content: string } | { kind: 'cancelled' } | { kind: 'unsupported' };

type ScanAnswer = Scan | { kind: 'denied' };

/** Removes the name of the bar code's type, which the scanner puts before the content: CODE_128,8010… */
export function withoutBarcodePrefix(content: string): string {
  return content.trim().replace(/^CODE_128,/i, '');
}

/** Opens the messaging app's scanner and resolves to its result. */
export async function scanCode(signed: PageSignature, address: string): Promise<Scan> {
  const wx = await configure(signed, address);
  if (!wx) return { kind: 'unsupported' };
  const answer = await retryWhile(
    () =>
      new Promise<ScanAnswer>((resolve) =>
        wx.scanQRCode({
          needResult: 1,
          scanType: ['qrCode', 'barCode'],
          success: ({ resultStr }) =>
            resolve({ kind: 'read', content: typeof resultStr === 'string' ? withoutBarcodePrefix(resultStr) : '' }),
          cancel: () => resolve({ kind: 'cancelled' }),
          fail: ({ errMsg }) => resolve({ kind: isPermissionDenied(errMsg) ? 'denied' : 'unsupported' }),
        }),
      ),
    ({ kind }) => kind === 'denied',
  );
  return answer.kind === 'denied' ? { kind: 'unsupported' } : answer;
}
