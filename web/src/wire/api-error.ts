/** How a call failed, as far as the app has to tell apart. */
export type FailureKind =
  | 'refused' // the shop answered no; `error` is its stable code
  | 'login' // no session, or an old one; the app is already on its way to the login page
  | 'unanswered' // the shop answered that a provider did not, after it had waited for it
  | 'http' // the answer was not a 200
  | 'network' // no answer at all
  | 'timeout'
  | 'aborted' // the caller no longer wants it
  | 'shape'; // a 200 whose content is not what was agreed

/** Every failure of a call. Switch on `error` (stable), never on `message` (for people). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: FailureKind;
  /** The stable code, such as `seat_taken`; the kind itself where the shop gave none. */
  readonly error: string;

  /** What a refusal carries beside its code; its shape is for who asked to know. */
  readonly data: unknown;

  constructor(kind: FailureKind, error: string, message: string, options?: ErrorOptions & { data?: unknown }) {
    super(message, options);
    this.kind = kind;
    this.error = error;
    this.data = options?.data;
  }
}

/** The stable code of a failed call, or nothing for another sort of failure. */
export function codeOf(failure: unknown): string | undefined {
  return failure instanceof ApiError ? failure.error : undefined;
}

/** Whether the shop answered no. The signed gateway's refusals are announced, and the app goes back. */
export function isRefusal(failure: unknown): boolean {
  return failure instanceof ApiError && failure.kind === 'refused';
}

/** The shop was not reached: what it said last is all there is. A refusal is an answer, and so is a broken one. */
export function isUnreached(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.kind === 'network' || failure.kind === 'timeout');
}

/**
 * What to tell the customer about a failure, or nothing where something else already does: the way to the login page
 * announces itself, and an aborted call has no reader.
 */
export function customerMessage(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError)) return '系统繁忙，请稍后再试';
  if (failure.kind === 'login' || failure.kind === 'aborted') return undefined;
  return failure.message;
}
