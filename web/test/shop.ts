import type { RequestHandler } from 'msw';
import * as sample from './samples';
import { card, gateway, get, main, newmovie, post } from './wire';

const signature = { appid: 'wx0000000000000001', time: 1777626000, nonceStr: 'n0nce', signature: 'a94a8fe5' };
const everyone = { token: '', uid: '', openid: '', yz_code: '' };

/** A shop in which every call succeeds, as in contracts/shop.md. Handlers of a test take precedence. */
export const shop: RequestHandler[] = [
  post('/movie/route', ({ method }) => {
    switch (method) {
      case 'film.hot':
        return gateway.ok({ total: 1, filmList: [sample.legacyFilm] });
      case 'film.detail':
        return gateway.ok({ film: sample.legacyFilmDetail });
      case 'cinema.detail':
        return gateway.ok({
          cinema: { ...sample.gatewayCinema, address: '黄浦区南京东路800号' },
          filmList: [sample.legacyFilm],
        });
      case 'opi.list.v2':
        return gateway.ok({ dates: ['2026-05-01'], opiList: [sample.showing] });
      case 'drama.list':
        return gateway.ok({ total: 1, projectList: [sample.drama] });
      default:
        return gateway.reject('1005', '不支持的操作', 'method_not_allowed');
    }
  }),
  post('/movie/route/Movie/citylist', () =>
    main.ok({ list: [sample.shanghai, sample.beijing, sample.suzhou, sample.wuxi] }),
  ),
  post('/movie/route/Movie/hotcity', () => main.ok({ list: [sample.shanghai, sample.beijing] })),
  post('/movie/route/Movie/sylbt', () =>
    main.ok({ banners: [sample.banner], kaquan_list1: [sample.tile], kaquan_list2: [] }),
  ),
  post('/movie/route/Movie/yclbt', () => main.ok({ banners: [sample.banner], kaquan_list1: [], kaquan_list2: [] })),
  post('/movie/route/Movie/cinema', () =>
    main.ok({
      city_num: 2,
      qu_list: [
        { id: '310101', name: '黄浦区', num: 1 },
        { id: '310104', name: '徐汇区', num: 1 },
      ],
      yingyuan: [sample.legacyCinema, sample.newCinema],
    }),
  ),
  post('/movie/route/Movie/guide', () => main.ok({ goupiao: '<p>不支持退票</p>', guanying: '<p>请提前入场</p>' })),
  post('/movie/route/Movie/gettime', () => main.ok({ time: sample.afternoon })),
  ...(['/movie/route/Movie/jsordershow', '/Film/jsordershow'] as const).map((path) =>
    post(path, () =>
      main.ok({ order: sample.legacyOrder, time: sample.afternoon, has_password: true, openid: '', checking: false }),
    ),
  ),
  post('/movie/route/Movie/card', () => main.ok({ card_list: [sample.filmCard, sample.card] })),
  post('/movie/route/Movie/pay_date', ({ fulika }) => main.ok(quote(fulika ?? ''))),
  post('/movie/route/Movie/flkpay', ({ oid = '' }) => main.ok({ order_no: oid, orderstatus: 'P' })),
  post('/movie/route/Movie/wxpay', ({ oid = '', trade_type }) =>
    main.ok({
      order_no: oid,
      ...(trade_type === 'MWEB' ? { h5_url: sample.h5Page } : { jsApiParameters: sample.bridgeParams }),
    }),
  ),
  ...(['/movie/route/Movie/pay_success', '/Film/pay_success'] as const).map((path) =>
    post(path, ({ order_no = '' }) =>
      main.ok({ order_no, orderstatus: 'P', type: 1, order: { ...sample.legacyOrder, orderstatus: 'P' } }),
    ),
  ),
  post('/movie/route/Movie/unorder', () => main.ok({})),
  get('/newmovie/api/movie/movies', () => newmovie.ok({ total: 1, list: [sample.film] })),
  get('/newmovie/api/movie/coming_movies', () => newmovie.ok({ total: 2, list: [sample.preSale, sample.upcoming] })),
  get('/newmovie/api/movie/movie_detail', () => newmovie.ok(sample.filmDetail)),
  get('/newmovie/api/movie/cinema_shows', () =>
    newmovie.ok({ cinema: { ...sample.newMovieCinema, address: '徐汇区漕溪北路18号' }, movies: [sample.movie] }),
  ),
  post('/newmovie/seat/quicklogin', () => newmovie.ok({ ...everyone, token: 'tok', uid: '1', openid: 'o-1' })),
  post('/Login/index', () => main.ok({ weblogo: '/art/logo.svg', zxkf: 'https://service.test/' })),
  post('/Login/sendcode', () => main.ok({ wait: 60 })),
  post('/Login/phoneLogin', () => main.ok({ ...everyone, token: 'tok', uid: '1' })),
  post('/Login/wxbindingPhone', ({ openid = '' }) => main.ok({ ...everyone, token: 'tok', uid: '1', openid })),
  post('/Login/wxlogin', () =>
    main.ok({ url: 'https://open.weixin.qq.com/connect/oauth2/authorize?state=st', state: 'st' }),
  ),
  post('/Login/getopenid', () => main.ok({ openid: 'o-1', yz_code: 'yz-1', bound: true })),
  post('/Login/single', ({ id }) =>
    main.ok({ title: id === '1' ? '隐私政策' : '使用说明', content: '<h2>总则</h2><p>正文</p>' }),
  ),
  post('/Login/linkLogin', () =>
    main.ok({ ...everyone, token: 'tok', uid: '1', phone: '138****0000', access: 'link' }),
  ),
  post('/Login/confirm', () => main.ok({ access: '' })),
  post('/Login/logout', () => main.ok({})),
  post('/Member/index', () => main.ok(sample.member)),
  post('/Member/getsendcode', () => main.ok({ wait: 60 })),
  post('/Member/editpassword', () => main.ok({})),
  post('/Member/security', () => main.ok({ phone: '138****0000', wechat: false, has_password: false })),
  post('/Member/sessions', () => main.ok(sample.openSessions)),
  post('/Member/endsession', () => main.ok({})),
  post('/Member/endsessions', () => main.ok({})),
  post('/Member/securitycode', () => main.ok({ wait: 60 })),
  post('/Member/newphonecode', () => main.ok({ wait: 60 })),
  ...(['changephone', 'unbindphone', 'unbindwechat', 'close'] as const).map((call) =>
    post(`/Member/${call}`, () => main.ok({})),
  ),
  post('/Member/closing', () =>
    main.ok({ phone: '138****0000', cards: 1, points: '500.00', vouchers: 0, unfinished: [] }),
  ),
  post('/Member/export', () => main.ok(sample.personalData)),
  post('/Dyorder/order', ({ type }) =>
    main.ok({
      list: { 2: [sample.cardOrder, sample.legacyOrder], 3: [sample.cardOrder] }[type ?? ''] ?? [sample.legacyOrder],
      total: 1,
      counts: { all: 5, pending: 1, to_use: 2, completed: 1 },
    }),
  ),
  post('/Dyorder/show', () =>
    main.ok({
      order_show: sample.issuedOrder,
      single: { title: '购票须知', content: '<p>不支持退票</p>' },
      order: {
        refunds: [],
        legs: [{ kind: 'card', title: '超级卡（尾号1234）', amount: '85.80', captured: true }],
        checking: false,
      },
    }),
  ),
  post('/newmovie/seat/ticketToken', () => newmovie.ok({ url: 'https://ticket.example/t?k=1', expires_in: 300 })),
  post('/Dyorder/kqshow', () =>
    main.ok({
      kqorder: sample.cardOrder,
      xunika: sample.codes,
      time: sample.afternoon,
      has_password: true,
      openid: 'o-1',
    }),
  ),
  post('/Kaquan/index', () =>
    main.ok({
      classify: [sample.category, { ...sample.category, id: '2', name: '阅读会员' }],
      lbt: [{ ...sample.banner, url: '/musicmember', title: '会员福利社' }],
      yinyue: [sample.goods],
      yuedu: [{ ...sample.goods, id: '21', title: '书海阅读畅读会员' }],
      qita: [{ ...sample.goods, id: '31', title: '晨光咖啡中杯券', price: '16.90' }, sample.rechargeGoods],
    }),
  ),
  post('/Kaquan/classify', () =>
    main.ok({ list: [sample.category, { ...sample.category, id: '2', name: '阅读会员' }] }),
  ),
  post('/Kaquan/lists', ({ flag }) =>
    main.ok({ list: [flag === '2' ? sample.rechargeGoods : sample.goods], total: 1 }),
  ),
  post('/Kaquan/music', () => main.ok({ list: [sample.goods], total: 1 })),
  post('/Kaquan/read', ({ flag }) =>
    main.ok({
      list: [{ ...sample.goods, id: '21', title: flag === '2' ? '云上网盘超级会员' : '书海阅读畅读会员' }],
      total: 1,
    }),
  ),
  post('/Kaquan/show', () => main.ok({ show: sample.goodsDetail, list: [sample.sku, sample.yearSku] })),
  post('/Film/card', () => main.ok({ card_list: [sample.filmCard, sample.card], has_password: true, openid: 'o-1' })),
  post('/Film/pay_date', ({ fulika, ggid }) => main.ok(quote(fulika ?? '', ggid ? 1500 : 8580))),
  post('/Film/flkpay', () => main.ok({ order_no: '202605010009', state: 4, orderstatus: 4 })),
  post('/Film/wxpay', ({ oid = '' }) => main.ok({ jsApiParameters: sample.bridgeParams, order_no: oid })),
  post('/Kaquan/wxpay', () => main.ok({ jsApiParameters: sample.bridgeParams, order_no: '202605010009' })),
  post('/Kaquan/pay_date', ({ fulika }) => main.ok(quote(fulika ?? '', 1500))),
  post('/Kaquan/flkpay', () => main.ok({ order_no: '202605010009', state: 4, orderstatus: 4 })),
  post('/Kaquan/pay_success', ({ order_no = '' }) =>
    main.ok({ order_no, state: 4, orderstatus: 4, type: 2, order: { ...sample.cardOrder, order_no } }),
  ),
  post('/api/api.php/Card/lists', () => card.ok({ card_list: [sample.filmCard, sample.card] })),
  post('/api/api.php/Card/nucard', () =>
    card.ok({ card_list: [{ ...sample.card, id: 'k9', price: '0.00', flag: 3 }] }),
  ),
  post('/api/api.php/Card/addbinding', () => card.ok({ id: 'k3' })),
  post('/api/api.php/Card/scanbinding', () => card.ok({ id: 'k3' })),
  post('/api/api.php/Card/bindingcard', ({ url }) =>
    card.ok({
      single: { title: '绑定须知', content: '<ol><li>每张卡只能绑定一个账号。</li></ol>' },
      ...(url ? signature : { appid: '', time: 0, nonceStr: '', signature: '' }),
    }),
  ),
  post('/api/api.php/Card/show', ({ khid = '' }) =>
    card.ok({
      card_num: sample.card.num,
      card: { ...sample.card, id: khid, code: 'AAAAAAAAAAAWTU4UBDPWQ2LB5WQVTA3O' },
    }),
  ),
  post('/api/api.php/Card/consume', () => card.ok({ list: [sample.cardRecord], total: 1 })),
  post('/api/api.php/Card/recharge', () =>
    card.ok({ list: [{ ...sample.cardRecord, flag: 2, price: '100.00', remark: '' }], total: 1 }),
  ),
  post('/api/api.php/Card/chongzhi', ({ khid = '' }) =>
    card.ok({
      card_num: sample.card.num,
      card: { ...sample.card, id: khid },
      taocan: [{ id: '1', num: '50.00', price: '50.00', danjia: '1.00元/点' }, sample.rechargePackage],
    }),
  ),
  post('/api/api.php/Card/czwxpay', () => card.ok({ jsApiParameters: sample.bridgeParams, order_no: 'R1' })),
  post('/api/api.php/Card/cxpay_success', ({ order_no = '' }) =>
    card.ok({ order_no, orderstatus: 4, state: 4, card: sample.card }),
  ),
  post('/api/api.php/Card/delcard', () => card.ok({ status: 3 })),
  post('/api/api.php/Card/checkmergecards', () =>
    card.ok({
      del_ka_str: '6222020000009999',
      hb_ka_str: sample.card.num,
      del_ka_price: '20.00',
      hb_ka_price: '120.00',
      code: 'MERGECODE',
    }),
  ),
  post('/api/api.php/Card/mergecards', () => card.ok({ id: 'k1' })),
  post('/movie/route/Movie/getLocation', () => main.ok(signature)),
];

/** The quote for the sample cards; the sample order is ¥85.80. */
function quote(fulika: string, due = 8580) {
  const points = fulika.split(',').reduce((sum, id) => sum + (id === 'k1' ? 10_000 : id === 'k2' ? 5000 : 0), 0);
  const deducted = Math.min(due, points);
  return {
    dkprice: (deducted / 100).toFixed(2),
    wxprice: ((due - deducted) / 100).toFixed(2),
    ka_ids: fulika,
    total: (due / 100).toFixed(2),
  };
}
