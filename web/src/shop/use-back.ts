import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from './paths';

/**
 * The state of the history entry of a page that is opened after a payment. From such a page, back goes to the home
 * page.
 */
export const afterPayment = { paid: true };

/**
 * Returns a function that goes back one page, or to the home page if the visit began on this page or
 * the page follows a payment.
 */
export function useBack(): () => void {
  const navigate = useNavigate();
  const { state } = useLocation();
  const paid = (state as Partial<typeof afterPayment> | null)?.paid === true;
  return useCallback(() => {
    // The router numbers its history entries from 0. Entry 0 has no earlier page of this app.
    const index: unknown = window.history.state?.idx;
    if (typeof index === 'number' && index > 0 && !paid) navigate(-1);
    else navigate(paths.home(), { replace: true });
  }, [navigate, paid]);
}
