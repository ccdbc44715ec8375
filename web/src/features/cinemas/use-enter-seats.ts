import { useNavigate } from 'react-router';
import { askLogin } from '../../wire/events';
import { session } from '../../wire/session';

/** Goes on to a seat map; without a login the way leads through it: 请先登录, and there after a second. */
export function useEnterSeats(): (path: string) => void {
  const navigate = useNavigate();
  return (path) => {
    if (session.token() === '') askLogin();
    else navigate(path);
  };
}
