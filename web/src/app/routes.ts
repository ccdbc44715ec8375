import type { Access } from '../wire/session';

/** A page of the app. The build writes the table into web/dist/routes.json, which the server reads. */
export interface Route {
  path: string;
  /** The title of the page, set on every navigation. */
  title: string;
  /** The file of the screen in src/features, without "-screen.tsx". */
  screen: string;
  /** Whether the tab bar is shown. */
  tabBar?: boolean;
  /** Whether a login is needed. A visitor without one is sent to quick login or login. */
  auth?: boolean;
  /**
   * Which sessions may use the page. `owner` excludes sessions with limited access; `trusted` also excludes sessions
   * that were opened by a link with a token (`Access` in wire/session.ts). Instead of the page, an excluded session
   * sees a screen that asks for a proof, such as an SMS code.
   */
  access?: 'owner' | 'trusted';
  /**
   * The names of the query values that the page needs. If one is absent or empty, a message is shown instead of the
   * screen.
   */
  needs?: readonly string[];
  /** Whether the service worker keeps the screen, so that it starts without a network. */
  offline?: boolean;
  /** Whether the page belongs to an order or a payment. An overloaded shop rejects only requests for other pages. */
  pays?: boolean;
}

/** Every page of the app. Each screen is a separate chunk. */
export const routes: readonly Route[] = [
  { path: '/index', title: '首页', screen: 'home/home', tabBar: true, offline: true },
  { path: '/citylist', title: '选择城市', screen: 'home/city-list' },
  { path: '/filmdetail', title: '影片详情', screen: 'films/film-detail', needs: ['id'] },
  { path: '/hotlist', title: '热映榜单', screen: 'films/hot-list' },
  { path: '/multiplex', title: '影院', screen: 'cinemas/cinemas', tabBar: true },
  { path: '/multiplexDetail', title: '影院详情', screen: 'cinemas/legacy-cinema', needs: ['id'] },
  { path: '/multiplexNewDetail', title: '影院详情', screen: 'cinemas/new-cinema', needs: ['id'] },
  { path: '/filmSeat', title: '选择座位', screen: 'booking/legacy-seat', auth: true, needs: ['opiid'] },
  { path: '/filmNewSeat', title: '选择座位', screen: 'booking/new-seat', auth: true, needs: ['sessionId'] },
  { path: '/paymentpage', title: '确认支付', screen: 'payment/payment', auth: true, needs: ['order'], pays: true },
  {
    path: '/payPassword',
    title: '设置支付密码',
    screen: 'account/pay-password',
    auth: true,
    access: 'owner',
    pays: true,
  },
  { path: '/confirmAccount', title: '确认账号', screen: 'account/confirm-account', auth: true, pays: true },
  { path: '/accountSecurity', title: '账号与安全', screen: 'account/account-security', auth: true },
  { path: '/changePhone', title: '更换手机号', screen: 'account/change-phone', auth: true, access: 'owner' },
  { path: '/unbind', title: '解除绑定', screen: 'account/unbind', auth: true, access: 'owner', needs: ['what'] },
  { path: '/exportData', title: '个人信息副本', screen: 'account/export-data', auth: true, access: 'owner' },
  { path: '/closeAccount', title: '注销账号', screen: 'account/close-account', auth: true, access: 'owner' },
  { path: '/login', title: '登录', screen: 'account/login' },
  { path: '/quickLogin', title: '快捷登录', screen: 'account/quick-login' },
  { path: '/personCenter', title: '我的', screen: 'account/profile', tabBar: true, auth: true, offline: true },
  { path: '/orderInfo', title: '我的订单', screen: 'orders/orders', auth: true, offline: true, pays: true },
  {
    path: '/orderpage',
    title: '订单详情',
    screen: 'orders/ticket-order',
    auth: true,
    needs: ['id'],
    offline: true,
    pays: true,
  },
  { path: '/cardorderinfo', title: '订单详情', screen: 'goods/card-order', auth: true, pays: true },
  { path: '/memberindex', title: '会员福利', screen: 'goods/member-home' },
  { path: '/musicmember', title: '音乐会员', screen: 'goods/music' },
  { path: '/readmember', title: '阅读会员', screen: 'goods/reading' },
  { path: '/memberClass', title: '会员分类', screen: 'goods/category' },
  { path: '/movelist', title: '充值中心', screen: 'goods/recharge-list' },
  { path: '/couponsDetail', title: '商品详情', screen: 'goods/goods-detail' },
  // The spelling of old links.
  { path: '/couponsdetail', title: '商品详情', screen: 'goods/goods-detail' },
  { path: '/securitycards', title: '我的福利卡', screen: 'cards/cards', auth: true, access: 'owner' },
  { path: '/cardinfo', title: '福利卡详情', screen: 'cards/card', auth: true, access: 'owner' },
  { path: '/consumptionRecords', title: '消费记录', screen: 'cards/consumption-records', auth: true, access: 'owner' },
  { path: '/rechargeRecords', title: '充值记录', screen: 'cards/recharge-records', auth: true, access: 'owner' },
  { path: '/package', title: '福利卡充值', screen: 'cards/recharge', auth: true, access: 'owner', pays: true },
  { path: '/couponCode', title: '券码绑定', screen: 'cards/coupon-code', auth: true, access: 'trusted' },
  { path: '/bindingCard', title: '绑定福利卡', screen: 'cards/bind-card', auth: true, access: 'trusted' },
  { path: '/yinsizhengce', title: '隐私政策', screen: 'content/privacy' },
  { path: '/useexplain', title: '使用说明', screen: 'content/rules' },
  { path: '/helloWord', title: '关于', screen: 'content/version' },
];

/** Reports whether a session has to give a proof before it may use a page. */
export function needsProof({ access: needed }: Route, access: Access): boolean {
  return (needed !== undefined && access === 'limited') || (needed === 'trusted' && access === 'link');
}

/** Normalizes a path for comparison. The router and the server ignore letter case and trailing slashes. */
function comparable(pathname: string): string {
  return pathname.replace(/\/+$/, '').toLowerCase();
}

/**
 * The route of a path, or undefined if the path is not a page of the app. Of two routes that differ in letter case
 * only, the one that is spelled like the path is returned.
 */
export function routeOf(pathname: string): Route | undefined {
  const same = routes.filter((route) => comparable(route.path) === comparable(pathname));
  return same.find((route) => route.path === pathname) ?? same[0];
}
