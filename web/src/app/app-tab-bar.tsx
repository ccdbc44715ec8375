import { useLocation, useNavigate } from 'react-router';
import { paths } from '../shop/paths';
import type { IconName } from '../ui/icon';
import { TabBar } from '../ui/tab-bar';
import { useChangeFlag } from '../wire/session';
import { routeOf } from './routes';

const tabs: { href: string; text: string; icon: IconName }[] = [
  { href: paths.home(), text: '影片', icon: 'film' },
  { href: paths.cinemas(), text: '影院', icon: 'cinema' },
  { href: paths.me(), text: '我的', icon: 'mine' },
];

/**
 * The tab bar: films, cinemas and the profile (我的). The profile is hidden from visitors whom another site has sent here
 * with `change=1` in the address.
 */
export function AppTabBar() {
  const change = useChangeFlag();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const items = tabs
    .filter((tab) => !(change && tab.href === paths.me()))
    .map((tab) => ({ ...tab, active: tab.href === routeOf(pathname)?.path }));
  return <TabBar items={items} onGo={(href) => navigate(href)} />;
}
