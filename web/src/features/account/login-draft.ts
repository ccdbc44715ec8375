import * as z from '../../wire/shape';

const Draft = z.object({ phone: z.string(), code: z.string(), agreed: z.boolean(), at: z.number() });
export type Draft = z.output<typeof Draft>;

const Kept = z.object({ draft: Draft });

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
    const { at, ...draft } = z.parse(Kept, state).draft;
    return { ...draft, code: Date.now() - at < codeLife ? draft.code : '' };
  } catch {
    return { phone: '', code: '', agreed: false };
  }
}
