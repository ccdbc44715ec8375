import { ApiError, codeOf } from '../../wire/api-error';
import { config } from '../../wire/config';

/**
 * The captcha vendor's proof that the customer has passed the challenge. The shop sends it to the vendor to check it;
 * it is valid only once.
 */
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
    /** Defined by the vendor's script. */
    TencentCaptcha?: new (
      appId: string,
      callback: (result: CaptchaResult) => void,
      options?: object,
    ) => { show: () => void };
  }
}

let loading: Promise<void> | undefined;

/** Loads the vendor's script, unless it is loaded already. If that fails, the next call tries again. */
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

/** Shows the challenge. It returns undefined if the customer closes it, and throws if the script does not load. */
async function passChallenge({ appId, script }: { appId: string; script: string }) {
  await loadScript(script);
  const Captcha = window.TencentCaptcha;
  if (!Captcha) return undefined;
  return new Promise<ChallengeAnswer | undefined>((resolve) => {
    const challenge = new Captcha(appId, ({ ret, ticket, randstr }) => {
      resolve(ret === 0 && ticket && randstr ? { ticket, randstr } : undefined);
    });
    challenge.show();
  });
}

/**
 * The ticket that the page itself makes if the vendor's script does not load, in the vendor's documented form (error
 * 1001). The vendor rejects such a ticket when the shop has it checked, so it is accepted only while the shop cannot
 * reach the vendor either.
 */
function outageTicket(appId: string): ChallengeAnswer {
  return { ticket: `terror_1001_${appId}_${Math.floor(Date.now() / 1000)}`, randstr: '@terror' };
}

/**
 * Sends a request. If the shop requires a challenge (captcha), shows it and sends the request again with its answer.
 */
export async function withChallenge<T>(send: (answer?: ChallengeAnswer) => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (failure) {
    if (codeOf(failure) !== 'challenge_required' || !config.captcha) throw failure;
    const captcha = config.captcha;
    const answer = await passChallenge(captcha).catch((unreached: unknown) => {
      return send(outageTicket(captcha.appId)).then(
        (sent) => ({ sent }),
        (failure: unknown) => Promise.reject(codeOf(failure) === 'challenge_failed' ? unreached : failure),
      );
    });
    if (!answer) throw failure;
    return 'sent' in answer ? answer.sent : send(answer);
  }
}
