import { type ComponentType, lazy } from 'react';

interface RouteMeta {
  path: string;
  /** The title of the page, set on every navigation. */
  title: string;
  /** Whether the tab bar shows. */
  tabBar?: boolean;
  /** Whether a login is needed; without one the way leads to quick login or login. */
  auth?: boolean;
  /** Query names without which the page is about nothing: an address that lacks one says so. */
  needs?: string[];
}

export interface AppRoute extends RouteMeta {
  Screen: ComponentType;
  /** Fetches the chunk of the screen ahead of its first use. */
  load: () => Promise<unknown>;
}

function screen(load: () => Promise<{ default: ComponentType }>): Pick<AppRoute, 'Screen' | 'load'> {
  return { Screen: lazy(load), load };
}

/** Every page of the app: its address, its title and what stands around it. Each is a chunk of its own. */
export const routes: AppRoute[] = [
  { path: '/index', title: '首页', tabBar: true, ...screen(() => import('../features/home/home-screen')) },
  { path: '/citylist', title: '选择城市', ...screen(() => import('../features/home/city-list-screen')) },
  {
    path: '/filmdetail',
    title: '影片详情',
    needs: ['id'],
    ...screen(() => import('../features/films/film-detail-screen')),
  },
  { path: '/hotlist', title: '热映榜单', ...screen(() => import('../features/films/hot-list-screen')) },
  {
    path: '/multiplex',
    title: '影院',
    tabBar: true,
    ...screen(() => import('../features/cinemas/cinemas-screen')),
  },
  {
    path: '/multiplexDetail',
    title: '影院详情',
    needs: ['id'],
    ...screen(() => import('../features/cinemas/legacy-cinema-screen')),
  },
  {
    path: '/multiplexNewDetail',
    title: '影院详情',
    needs: ['id'],
    ...screen(() => import('../features/cinemas/new-cinema-screen')),
  },
  {
    path: '/filmSeat',
    title: '选择座位',
    needs: ['opiid'],
    auth: true,
    ...screen(() => import('../features/booking/legacy-seat-screen')),
  },
  {
    path: '/filmNewSeat',
    title: '选择座位',
    needs: ['sessionId'],
    auth: true,
    ...screen(() => import('../features/booking/new-seat-screen')),
  },
  {
    path: '/paymentpage',
    title: '确认支付',
    needs: ['order'],
    auth: true,
    ...screen(() => import('../features/payment/payment-screen')),
  },
  {
    path: '/payPassword',
    title: '设置支付密码',
    auth: true,
    ...screen(() => import('../features/account/pay-password-screen')),
  },
  { path: '/login', title: '登录', ...screen(() => import('../features/account/login-screen')) },
  { path: '/quickLogin', title: '快捷登录', ...screen(() => import('../features/account/quick-login-screen')) },
  {
    path: '/personCenter',
    title: '我的',
    tabBar: true,
    auth: true,
    ...screen(() => import('../features/account/profile-screen')),
  },
  {
    path: '/orderInfo',
    title: '我的订单',
    auth: true,
    ...screen(() => import('../features/orders/orders-screen')),
  },
  {
    path: '/orderpage',
    title: '订单详情',
    needs: ['id'],
    auth: true,
    ...screen(() => import('../features/orders/ticket-order-screen')),
  },
  {
    path: '/cardorderinfo',
    title: '订单详情',
    auth: true,
    ...screen(() => import('../features/goods/card-order-screen')),
  },
  { path: '/memberindex', title: '会员福利', ...screen(() => import('../features/goods/member-home-screen')) },
  { path: '/musicmember', title: '音乐会员', ...screen(() => import('../features/goods/music-screen')) },
  { path: '/readmember', title: '阅读会员', ...screen(() => import('../features/goods/reading-screen')) },
  { path: '/memberClass', title: '会员分类', ...screen(() => import('../features/goods/category-screen')) },
  { path: '/movelist', title: '充值中心', ...screen(() => import('../features/goods/recharge-list-screen')) },
  { path: '/couponsDetail', title: '商品详情', ...screen(() => import('../features/goods/goods-detail-screen')) },
  // Links that were shared once are spelled this way.
  { path: '/couponsdetail', title: '商品详情', ...screen(() => import('../features/goods/goods-detail-screen')) },
  {
    path: '/securitycards',
    title: '我的福利卡',
    auth: true,
    ...screen(() => import('../features/cards/cards-screen')),
  },
  {
    path: '/cardinfo',
    title: '福利卡详情',
    auth: true,
    ...screen(() => import('../features/cards/card-screen')),
  },
  {
    path: '/consumptionRecords',
    title: '消费记录',
    auth: true,
    ...screen(() => import('../features/cards/consumption-records-screen')),
  },
  {
    path: '/rechargeRecords',
    title: '充值记录',
    auth: true,
    ...screen(() => import('../features/cards/recharge-records-screen')),
  },
  {
    path: '/package',
    title: '福利卡充值',
    auth: true,
    ...screen(() => import('../features/cards/recharge-screen')),
  },
  {
    path: '/couponCode',
    title: '券码绑定',
    auth: true,
    ...screen(() => import('../features/cards/coupon-code-screen')),
  },
  {
    path: '/bindingCard',
    title: '绑定福利卡',
    auth: true,
    ...screen(() => import('../features/cards/bind-card-screen')),
  },
  { path: '/yinsizhengce', title: '隐私政策', ...screen(() => import('../features/content/privacy-screen')) },
  { path: '/useexplain', title: '使用说明', ...screen(() => import('../features/content/rules-screen')) },
  { path: '/helloWord', title: '关于', ...screen(() => import('../features/content/version-screen')) },
];

export function metaOf(pathname: string): RouteMeta | undefined {
  return routes.find((route) => route.path === pathname);
}
