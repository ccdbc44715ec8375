import { useState } from 'react';
import { toast } from '../ui/toast';
import { fieldOf, rejectionMessage } from './rejection';

/** The errors of a form with these fields. An error of the shop is shown at the field that it is about. */
export function useFieldErrors<F extends string>(...fields: readonly F[]) {
  const [error, setError] = useState<{ field: F; text: string }>();
  return {
    /** The properties of a field: its error, and an onChange that clears the error. */
    field: (field: F, onChange: (typed: string) => void) => ({
      error: error?.field === field ? error.text : undefined,
      onChange: (typed: string) => {
        setError(undefined);
        onChange(typed);
      },
    }),
    /** Clears the error, because the form is sent again. */
    clear: () => setError(undefined),
    /** Shows the error of a failed call at its field, or as a toast if it is not about a field of the form. */
    show(failure: unknown): void {
      const text = rejectionMessage(failure);
      const field = fields.find((name) => name === fieldOf(failure));
      if (field === undefined || text === undefined) toast(text);
      else setError({ field, text });
    },
  };
}
