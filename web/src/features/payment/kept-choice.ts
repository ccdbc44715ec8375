import { useState } from 'react';
import * as z from '../../api/shape';

const Choice = z.object({ cards: z.array(z.string()), app: z.boolean() });
export type Choice = z.output<typeof Choice>;

/** How the customer wants to pay an order; it outlives a visit to the pages that set a password or name an identity. */
export function useKeptChoice(oid: string, initial: Choice): [Choice, (next: Choice) => void] {
  const key = `pay ${oid}`;
  const [choice, setChoice] = useState<Choice>(() => {
    try {
      return z.parse(Choice, JSON.parse(sessionStorage.getItem(key) ?? ''));
    } catch {
      return initial;
    }
  });
  return [
    choice,
    (next) => {
      setChoice(next);
      try {
        sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // The choice then lasts as long as the page.
      }
    },
  ];
}
