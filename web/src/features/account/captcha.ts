import { ApiError, codeOf } from '../../wire/api-error';
import { config } from '../../wire/config';

/** What the captcha vendor gives for a challenge that was passed. The shop checks it once. */
export interface ChallengeAnswer {
  ticket: string;
  randstr: string;
}

/** The result of the vendor's script: ret 0 is passed, 2 is closed by the customer. */
interface CaptchaResult {
  ret: number;
  ticket?: string | null;
  randstr?: string | null;
}

declare global {
  interface Window {
    /** The vendor's script defines it. */
    TencentCaptcha?: new (
      appId: string,
      callback: (result: CaptchaResult) => void,
      options?: object,
    ) => { show: () => void };
  }
}

let loading: Promise<void> | undefined;

/** Loads the vendor's script once. A load that failed is repeated by the next call. */
function loadScript(address: string): Promise<void> {
  if (window.TencentCaptcha) return Promise.resolve();
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      loading = undefined;
      reject(new ApiError('network', 'captcha_unreached', '安全验证加载失败，请检查网络后重试'));
    };
    document.head.append(script);
  });
  return loading;
}

/** Shows the challenge. It returns undefined if no captcha is configured or the customer closes it. */
async function passChallenge(): Promise<ChallengeAnswer | undefined> {
  if (!config.captcha) return undefined;
  const { appId, script } = config.captcha;
  await loadScript(script);
  const Captcha = window.TencentCaptcha;
  if (!Captcha) return undefined;
  return new Promise((resolve) => {
    const challenge = new Captcha(appId, ({ ret, ticket, randstr }) => {
      resolve(ret === 0 && ticket && randstr ? { ticket, randstr } : undefined);
    });
    challenge.show();
  });
}

/** Sends a request. If the shop asks for a challenge, it is shown, and the request is sent again with its answer. */
export async function withChallenge<T>(send: (answer?: ChallengeAnswer) => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (failure) {
    if (codeOf(failure) !== 'challenge_required') throw failure;
    const answer = await passChallenge();
    if (!answer) throw failure;
    return send(answer);
  }
}
