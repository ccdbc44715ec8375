/** The kinds of failures that the app treats differently. */
export type FailureKind =
  | 'rejected' // the shop returned an error; `error` is its stable code
  | 'login' // the session is missing or has ended; unless the call was quiet, the app redirects to the login page
  | 'unanswered' // the shop reported that a provider did not answer
  | 'busy' // the shop is overloaded and did not begin the call; the app has repeated it several times
  | 'http' // the answer was not a 200
  | 'network' // no answer at all
  | 'timeout'
  | 'aborted' // by the caller
  | 'shape'; // a 200 whose content does not match the schema

/** The error of a failed call. Switch on `error` (stable), never on `message` (for people). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: FailureKind;
  /** The stable code, such as `seat_taken`; the kind if the shop returned none. */
  readonly error: string;

  /** The data of the shop's error in addition to its code. Its shape depends on the call. */
  readonly data: unknown;

  constructor(kind: FailureKind, error: string, message: string, options?: ErrorOptions & { data?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.error = error;
    this.data = options?.data;
  }
}

/** The stable code of a failed call; undefined for other errors. */
export function codeOf(failure: unknown): string | undefined {
  return failure instanceof ApiError ? failure.error : undefined;
}

/**
 * Reports whether the failure has the kind `rejected`. If the signed gateway rejected the call, and the call was not
 * quiet, the app itself shows the message and goes back to the page before.
 */
export function isRejection(failure: unknown): boolean {
  return failure instanceof ApiError && failure.kind === 'rejected';
}

/**
 * Reports whether no answer came from the shop, so that only stored data is available. An error that the shop returned
 * is an answer.
 */
export function isUnreached(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.kind === 'network' || failure.kind === 'timeout');
}

/**
 * The message for the customer; undefined if none is needed: the redirect to the login page shows its own, and an
 * aborted call is not reported.
 */
export function customerMessage(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError)) return '系统繁忙，请稍后再试';
  if (failure.kind === 'login' || failure.kind === 'aborted') return undefined;
  return failure.message;
}
