import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { paths } from './paths';

/** Goes back one page, or home where the visit began on this one. */
export function useBack(): () => void {
  const navigate = useNavigate();
  return useCallback(() => {
    // The router numbers the entries it made; the first of a visit has no predecessor of ours.
    const index: unknown = window.history.state?.idx;
    if (typeof index === 'number' && index > 0) navigate(-1);
    else navigate(paths.home(), { replace: true });
  }, [navigate]);
}
