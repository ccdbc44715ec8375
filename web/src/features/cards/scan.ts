import { comesTooEarly, configure, type PageSignature, persist } from '../../session/js-sdk';

/** What came of looking for a code with the camera. */
export type Scan = { kind: 'read'; content: string } | { kind: 'cancelled' } | { kind: 'unsupported' };

type Asked = Scan | { kind: 'early' };

/** The scanner puts the kind of a bar code before what it reads: CODE_128,8010… */
export function withoutBarcodePrefix(content: string): string {
  return content.trim().replace(/^CODE_128,/i, '');
}

/** Opens the messaging app's scanner. */
export async function scanCode(signed: PageSignature, address: string): Promise<Scan> {
  const wx = await configure(signed, address);
  if (!wx) return { kind: 'unsupported' };
  const asked = await persist(
    () =>
      new Promise<Asked>((resolve) =>
        wx.scanQRCode({
          needResult: 1,
          scanType: ['qrCode', 'barCode'],
          success: ({ resultStr }) =>
            resolve({ kind: 'read', content: typeof resultStr === 'string' ? withoutBarcodePrefix(resultStr) : '' }),
          cancel: () => resolve({ kind: 'cancelled' }),
          fail: ({ errMsg }) => resolve({ kind: comesTooEarly(errMsg) ? 'early' : 'unsupported' }),
        }),
      ),
    ({ kind }) => kind === 'early',
  );
  return asked.kind === 'early' ? { kind: 'unsupported' } : asked;
}
