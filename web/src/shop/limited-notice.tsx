import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { NoticeBar } from '../ui/notice-bar';
import { paths } from './paths';

/** A notice about what is hidden from a session with limited access, with a link to confirm the account. */
export function LimitedNotice({ children }: { children: ReactNode }) {
  return (
    <NoticeBar icon="shield">
      {children}
      <Link to={paths.confirmAccount()}>去确认账号</Link>
    </NoticeBar>
  );
}
