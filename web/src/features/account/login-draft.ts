import * as v from 'valibot';

const Draft = v.object({ phone: v.string(), code: v.string(), agreed: v.boolean(), at: v.number() });
export type Draft = v.InferOutput<typeof Draft>;

const Kept = v.object({ draft: Draft });

/** Milliseconds after which a stored SMS code is not restored. The shop's codes expire after the same time. */
const codeLifetime = 5 * 60_000;

/**
 * Adds the unsent form to the state of the login page's history entry, so that it is restored when the customer returns
 * from reading a legal text. It is not stored anywhere else.
 */
export function withDraft(state: unknown, draft: Omit<Draft, 'at'>): object {
  return { ...(typeof state === 'object' ? state : {}), draft: { ...draft, at: Date.now() } };
}

/** The form that was stored in the state of a history entry, or an empty one. A code is left out after codeLifetime. */
export function draftOf(state: unknown): Omit<Draft, 'at'> {
  try {
    const { at, ...draft } = v.parse(Kept, state).draft;
    return { ...draft, code: Date.now() - at < codeLifetime ? draft.code : '' };
  } catch {
    return { phone: '', code: '', agreed: false };
  }
}
