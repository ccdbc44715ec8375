import * as v from 'valibot';

const Draft = v.object({ phone: v.string(), code: v.string(), agreed: v.boolean(), at: v.number() });
export type Draft = v.InferOutput<typeof Draft>;

const Kept = v.object({ draft: Draft });

/** An SMS code is good for ten minutes; an older one is not worth showing again. */
const codeLife = 10 * 60_000;

/**
 * The state of the page's entry in the history with what is typed so far: who reads the policy and comes back finds the
 * form as it was, and nobody else ever does.
 */
export function withDraft(state: unknown, draft: Omit<Draft, 'at'>): object {
  return { ...(typeof state === 'object' ? state : {}), draft: { ...draft, at: Date.now() } };
}

/** What was typed when this entry of the history was left. */
export function draftOf(state: unknown): Omit<Draft, 'at'> {
  try {
    const { at, ...draft } = v.parse(Kept, state).draft;
    return { ...draft, code: Date.now() - at < codeLife ? draft.code : '' };
  } catch {
    return { phone: '', code: '', agreed: false };
  }
}
