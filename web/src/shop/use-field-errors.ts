import { useState } from 'react';
import { toast } from '../ui/toast';
import { fieldOf, refusalMessage } from './refusal';

/** The errors of a form with these fields. What the shop refuses stands at the field that was wrong. */
export function useFieldErrors<F extends string>(...fields: readonly F[]) {
  const [error, setError] = useState<{ field: F; text: string }>();
  return {
    /** The properties of a field: its error, and what takes a change, which ends the error. */
    field: (field: F, onChange: (typed: string) => void) => ({
      error: error?.field === field ? error.text : undefined,
      onChange: (typed: string) => {
        setError(undefined);
        onChange(typed);
      },
    }),
    /** Forgets the error, because the form is sent again. */
    clear: () => setError(undefined),
    /** Shows a failed call at its field; a toast tells what is about no field of the form. */
    show(failure: unknown): void {
      const text = refusalMessage(failure);
      const field = fields.find((name) => name === fieldOf(failure));
      if (field === undefined || text === undefined) toast(text);
      else setError({ field, text });
    },
  };
}
