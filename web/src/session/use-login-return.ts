import { useCallback, useEffect, useState } from 'react';
import * as v from 'valibot';
import { ownKey } from '../wire/own-key';
import { session } from '../wire/session';
import { type InterruptedForm, shownPage } from './interrupted-form';

const slot = 'login return';
const Stored = v.object({ key: v.string(), value: v.unknown() });

/**
 * Keeps the input of a page while a login interrupts it. `remember` stores the current value, which the redirect to the
 * login passes on. `restored` is that value on the page to which this login returns, and undefined on every other visit
 * and for another account. The value must not contain passwords. The code of a coupon that has no password is kept,
 * because it was entered as the coupon's number.
 */
export function useLoginReturn<T>(
  key: string,
  shape: v.GenericSchema<unknown, T>,
): [restored: T | undefined, remember: (value: T) => void] {
  const [restored] = useState<T | undefined>(() => {
    try {
      const stored = v.parse(Stored, JSON.parse(sessionStorage.getItem(ownKey(slot)) ?? ''));
      return stored.key === key ? v.parse(shape, stored.value) : undefined;
    } catch {
      return undefined;
    }
  });
  const remember = useCallback(
    (value: T) => {
      // If the account of the session is unknown, it cannot be compared with the account of the next login, so the form
      // is not kept.
      const account = session.account();
      shownPage.form = session.token() !== '' && account === '' ? undefined : { key, account, value };
    },
    [key],
  );
  useEffect(() => {
    try {
      sessionStorage.removeItem(ownKey(slot));
    } catch {
      // Storage is not available, so there is nothing to remove.
    }
    // Remember the restored value again at once, in case the session ends again before the customer changes anything.
    if (restored !== undefined) remember(restored);
    return () => {
      shownPage.form = undefined;
    };
  }, [remember, restored]);
  return [restored, remember];
}

/** After a login, stores the form for the page to which the login returns, unless another account has entered it. */
export function restoreForm(form: InterruptedForm): void {
  if (form.account !== '' && form.account !== session.account()) return;
  try {
    sessionStorage.setItem(ownKey(slot), JSON.stringify(form));
  } catch {
    // Storage is not available. The customer fills in the form again.
  }
}
