import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../shop/paths';
import { useMounted } from '../../ui/use-mounted';
import { takeReturn } from './return-path';

/**
 * Where a login leads: on to what it came in between, else home. The login itself is no place to go back to; who has left it
 * before the shop answered stays where they are.
 */
export function useGoOn(): () => void {
  const navigate = useNavigate();
  const here = useMounted();
  const { state } = useLocation();
  return () => {
    if (!here()) return;
    const way = takeReturn(state) ?? paths.home();
    if (way === -1 && window.history.length > 1) navigate(-1);
    else navigate(way === -1 ? paths.home() : way, { replace: true });
  };
}
