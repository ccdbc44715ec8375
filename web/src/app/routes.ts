import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

interface RouteMeta {
  path: string;
  /** The title of the page, set on every navigation. */
  title: string;
  /** Whether the tab bar shows. */
  tabBar?: boolean;
  /** Whether a login is needed; without one the way leads to quick login or login. */
  auth?: boolean;
}

interface AppRoute extends RouteMeta {
  Screen: LazyExoticComponent<ComponentType>;
}

type Load = () => Promise<{ default: ComponentType }>;

const files = import.meta.glob<{ default: ComponentType }>('../features/*/*-screen.tsx');

/** Every page of the app: its address, title, and what stands around it. Each is a chunk of its own. */
const table: (RouteMeta & { file: string })[] = [
  { path: '/index', title: '首页', tabBar: true, file: 'home/index' },
  { path: '/citylist', title: '选择城市', file: 'home/city-list' },
  { path: '/filmdetail', title: '影片详情', file: 'films/film-detail' },
  { path: '/hotlist', title: '热映榜单', file: 'films/hot-list' },
  { path: '/multiplex', title: '影院', tabBar: true, file: 'cinemas/multiplex' },
  { path: '/multiplexDetail', title: '影院详情', file: 'cinemas/multiplex-detail' },
  { path: '/multiplexNewDetail', title: '影院详情', file: 'cinemas/multiplex-new-detail' },
  { path: '/filmSeat', title: '选择座位', auth: true, file: 'booking/film-seat' },
  { path: '/filmNewSeat', title: '选择座位', auth: true, file: 'booking/film-new-seat' },
  { path: '/paymentpage', title: '确认支付', auth: true, file: 'payment/payment' },
  { path: '/payPassword', title: '设置支付密码', auth: true, file: 'account/pay-password' },
  { path: '/login', title: '登录', file: 'account/login' },
  { path: '/quickLogin', title: '快捷登录', file: 'account/quick-login' },
  { path: '/personCenter', title: '我的', tabBar: true, auth: true, file: 'account/person-center' },
  { path: '/orderInfo', title: '我的订单', auth: true, file: 'orders/order-info' },
  { path: '/orderpage', title: '订单详情', auth: true, file: 'orders/order-page' },
  { path: '/securitycards', title: '我的福利卡', auth: true, file: 'cards/security-cards' },
  { path: '/bindingCard', title: '绑定福利卡', auth: true, file: 'cards/binding-card' },
  { path: '/yinsizhengce', title: '隐私政策', file: 'content/privacy' },
  { path: '/useexplain', title: '使用说明', file: 'content/rules' },
  { path: '/helloWord', title: '关于', file: 'content/hello-word' },
];

export const routes: AppRoute[] = table.flatMap(({ file, ...meta }) => {
  const load = files[`../features/${file}-screen.tsx`] as Load | undefined;
  return load ? [{ ...meta, Screen: lazy(load) }] : [];
});

export function metaOf(pathname: string): RouteMeta | undefined {
  return table.find((route) => route.path === pathname);
}
