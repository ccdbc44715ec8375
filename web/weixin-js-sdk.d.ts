// Types of the part of the messaging app's JS-SDK that the app uses. The package's own types are not used, because they
// declare the global WeixinJSBridge as any.

interface Outcome {
  fail?: (why: { errMsg?: string }) => void;
  cancel?: () => void;
}

interface Shared extends Outcome {
  title: string;
  link: string;
  imgUrl: string;
  success: () => void;
}

declare const wx: {
  config(page: {
    appId: string;
    timestamp: number;
    nonceStr: string;
    signature: string;
    jsApiList: readonly string[];
  }): void;
  ready(then: () => void): void;
  error(then: (why: { errMsg?: string }) => void): void;
  scanQRCode(
    scan: Outcome & {
      needResult: 0 | 1;
      scanType: ('qrCode' | 'barCode')[];
      success: (found: { resultStr?: unknown }) => void;
    },
  ): void;
  getLocation(
    ask: Outcome & {
      type: 'wgs84' | 'gcj02';
      success: (found: { latitude: number | string; longitude: number | string }) => void;
    },
  ): void;
  updateAppMessageShareData(card: Shared & { desc: string }): void;
  updateTimelineShareData(card: Shared): void;
};
export default wx;
