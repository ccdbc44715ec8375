import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { paths } from './paths';

/** Returns a function that goes back one page, or to the home page if the visit began on this page. */
export function useBack(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    // The router numbers its history entries from 0. Entry 0 has no earlier page of this app.
    const index: unknown = window.history.state?.idx;
    if (typeof index === 'number' && index > 0) navigate(-1);
    else navigate(paths.home(), { replace: true });
  }, [navigate]);
}
