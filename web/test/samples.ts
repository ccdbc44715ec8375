import cards from '../../contracts/examples/card.json';
import gateway from '../../contracts/examples/gateway.json';
import goodsAnswers from '../../contracts/examples/goods.json';
import login from '../../contracts/examples/login.json';
import movieAnswers from '../../contracts/examples/movie.json';
import newmovie from '../../contracts/examples/newmovie.json';
import type {
  AccountOpeners,
  Banner,
  BridgeParams,
  BuyerPage,
  Card,
  CardRecord,
  Category,
  Cinema,
  City,
  Copy,
  Film,
  FilmDetail,
  FilmShows,
  GatewayCinema,
  GatewayDrama,
  GatewayFilm,
  GatewayFilmDetail,
  Goods,
  GoodsCode,
  GoodsOrder,
  GoodsText,
  NewMovieCinema,
  RechargePackage,
  Session,
  Showing,
  SKU,
  TicketOrder,
  VoucherTile,
} from '../src/wire/generated/shop';

/**
 * Answers of the shop, which the tests of the server write (server/httpapi/objects_test.go). A new field of an answer
 * is therefore in the samples without a change here.
 */
const answers = { movie: movieAnswers, gateway, newmovie, login, goods: goodsAnswers, cards };

/**
 * A sample of each object as the shop sends it: the object of an answer, with the values that tests look for. Tests
 * spread a sample and change the fields that they are about.
 */

export const shanghai: City = {
  ...answers.movie['/movie/route/Movie/citylist'].list[0]!,
  id: '310100',
  name: '上海',
  cityid1: '3101',
  cityid2: '2009',
  pinyin: 'shanghai',
};
export const beijing: City = {
  ...shanghai,
  id: '110100',
  name: '北京',
  cityid1: '1101',
  cityid2: '2001',
  pinyin: 'beijing',
};
export const suzhou: City = {
  ...shanghai,
  id: '320500',
  name: '苏州',
  cityid1: '3205',
  cityid2: '2031',
  pinyin: 'suzhou',
};
export const wuxi: City = { ...shanghai, id: '320200', name: '无锡', cityid1: '3202', cityid2: '2028', pinyin: 'wuxi' };

export const film: Film = {
  ...answers.newmovie['/newmovie/api/movie/movies?cityId=2001'].list[0]!,
  movieId: 'm1',
  movieCode: 'c1',
  name: '长风渡',
  posterUrl: '/art/poster-m1.svg',
  score: '8.6',
  star: '林一 周二 吴三',
  director: '陈四',
  category: '剧情|爱情',
  version: '2D',
  duration: 118,
  wish: 123456,
  isPreShow: 0,
  showSt: 1,
  openDay: '2026-05-01',
};

export const preSale: Film = {
  ...film,
  movieId: 'm2',
  movieCode: 'c2',
  name: '雪国列车站',
  score: '',
  wish: 2345,
  isPreShow: 1,
  showSt: 2,
};
export const upcoming: Film = {
  ...film,
  movieId: 'm3',
  movieCode: 'c3',
  name: '海上灯塔',
  score: '',
  wish: 900,
  isPreShow: 0,
  showSt: 3,
};

export const drama: GatewayDrama = {
  ...answers.gateway['/movie/route method=drama.list cityid=3101'].projectList[0]!,
  projectid: 'd1',
  name: '茶馆外的雪',
  poster: '/art/drama/d1.svg',
  venue: '上海大剧院',
  city: '上海市',
  showtime: '2026-05-09 19:30',
  minprice: 18000,
};

export const legacyFilm: GatewayFilm = {
  ...answers.gateway['/movie/route method=film.hot cityid=3101'].filmList[0]!,
  movieid: 'm1',
  moviecode: 'c1',
  moviename: '长风渡',
  poster: '/art/poster-m1.svg',
  score: '8.6',
  director: '陈四',
  star: '林一 周二 吴三',
  category: '剧情|爱情',
  version: '2D',
  duration: 118,
  wish: 123456,
  showst: 1,
  publishdate: '2026-05-01',
};

export const filmDetail: FilmDetail = {
  ...answers.newmovie['/newmovie/api/movie/movie_detail?movieId=m1'],
  movieId: 'm1',
  movieCode: 'c1',
  img: '/art/poster-m1.svg',
  name: '长风渡',
  nm: 'The Long Crossing',
  director: '陈四',
  star: '林一 周二 吴三',
  cat: '剧情|爱情',
  pubDesc: '2026年5月1日中国大陆上映',
  dur: '118',
  desc: '一座江边小城，两代摆渡人。',
  score: '8.6',
  wish: 123456,
  version: '2D',
  showSt: 1,
  isPreShow: 0,
  workerList: [{ avatarUrl: '/art/actor-1.svg', actorName: '林一', characterName: '饰 老渡' }],
};

const { movieId, movieCode, showSt, isPreShow: _, ...described } = filmDetail;
/** A film of the ranking, in the format of the legacy source. */
export const legacyFilmDetail: GatewayFilmDetail = {
  ...described,
  movieid: movieId,
  moviecode: movieCode,
  showst: showSt,
};

export const banner: Banner = {
  ...answers.movie['/movie/route/Movie/sylbt'].banners[0]!,
  id: 'b1',
  img: '/art/banner-1.svg',
  url: '/hotlist',
  title: '暑期观影季',
};
export const tile: VoucherTile = {
  ...answers.movie['/movie/route/Movie/sylbt'].kaquan_list1[0]!,
  id: 't1',
  img: '/art/tile-1.svg',
  title: '双人电影券',
  price: '69.00',
  url: '/couponsDetail?id=1',
};

export const legacyCinema: Cinema = {
  ...answers.movie['/movie/route/Movie/cinema cityid=310100'].yingyuan[0]!,
  flag: 1,
  name: '星光影城南京路店',
  address: '黄浦区南京东路800号',
  name1: '',
  address1: '',
  cinemaid1: 'g100',
  cinemaid2: '',
  juli: '1.2',
  quid: '310101',
  price: '39.00',
  movie_price: '',
};

export const newCinema: Cinema = {
  ...legacyCinema,
  flag: 2,
  name: '',
  address: '',
  name1: '云幕影院徐汇店',
  address1: '徐汇区漕溪北路18号',
  cinemaid1: '',
  cinemaid2: 'n200',
  juli: '3.4',
  quid: '310104',
  price: '42.90',
  movie_price: '',
};

/** A cinema in the answer for its page, of the legacy source and of newmovie. */
export const gatewayCinema: GatewayCinema = {
  ...answers.gateway['/movie/route method=cinema.detail cinemaid=g100'].cinema,
  cinemaid: 'g100',
  cinemaname: '星光影城南京路店',
  address: '南京东路800号',
  phone: '021-60000000',
  regionid: '310101',
  regionname: '黄浦区',
  lat: '31.234500',
  lng: '121.480000',
  minprice: 3900,
};
export const newMovieCinema: NewMovieCinema = {
  ...answers.newmovie['/newmovie/seat/cinemaDetail cinemaId=n200'].cinema,
  cinemaId: 'n200',
  cinemaCode: 'NC200',
  sourceId: '2',
  name: '云幕影院徐汇店',
  address: '漕溪北路18号',
  phone: '021-61111111',
  regionId: '310104',
  regionName: '徐汇区',
  latitude: '31.190000',
  longitude: '121.430000',
  minPrice: '42.90',
};

export const showing: Showing = {
  ...answers.gateway['/movie/route method=opi.list.v2 cinemaid=g100'].opiList[0]!,
  opiid: 'o1',
  cinemaid: 'g100',
  cinemaname: '星光影城南京路店',
  movieid: 'm1',
  moviecode: 'c1',
  moviename: '长风渡',
  poster: '/art/poster-m1.svg',
  playdate: '2026-05-01',
  playtime: '2026-05-01 19:30:00',
  endtime: '2026-05-01 21:28:00',
  closetime: '2026-05-01 19:30:00',
  edition: '2D',
  language: '国语',
  roomname: '3号厅',
  showPrice: 5200,
  price: 4290,
  areaPrice: '',
};

export const session: Session = {
  ...answers.newmovie['/newmovie/seat/cinemaDetail cinemaId=n200'].movies[0]!.shows[0]!.sessions[0]!,
  sessionId: 's1',
  showTime: '2026-05-01 19:30:00',
  endTime: '2026-05-01 21:28:00',
  version: '2D',
  language: '国语',
  hall: '3号厅',
  originPrice: '42.90',
  listPrice: '52.00',
  sellable: true,
};

export const movie: FilmShows = {
  ...answers.newmovie['/newmovie/seat/cinemaDetail cinemaId=n200'].movies[0]!,
  movieId: 'm1',
  movieCode: 'c1',
  name: '长风渡',
  posterUrl: '/art/poster-m1.svg',
  showmark: '2D',
  duration: 118,
  category: '剧情|爱情',
  score: '8.6',
  shows: [{ showDate: '2026-05-01', sessions: [session] }],
};

/** 2026-05-01 17:00 in China in unix seconds. The times of the samples are close to it. */
export const afternoon = 1777626000;

const order: Omit<TicketOrder, 'type' | 'orderstatus' | 'showid' | 'cinemaid'> = {
  ...answers.goods['/Dyorder/show id=26050117'].order_show,
  id: '202605010001',
  order_id: 'P1',
  state_text: '待付款',
  movieid: 'm1',
  moviename: '长风渡',
  movielogo: '/art/poster-m1.svg',
  cinemaname: '星光影城南京路店',
  cinemaaddress: '黄浦区南京东路800号',
  roomname: '3号厅',
  seats: '5排6座,5排7座',
  quantity: 2,
  showamount: '85.80',
  price: '42.90',
  mobile: '13800000000',
  playtime: afternoon + 9000,
  edition: '2D',
  add_time: afternoon - 60,
  expiretime: afternoon + 840,
  smscontent: '',
  ord_bs: 1,
  stuck: false,
  ticketcodeList: [],
  ticketCode: '',
};

export const legacyOrder: TicketOrder = { ...order, type: 1, orderstatus: 'N', showid: 'o1', cinemaid: 'g100' };
export const newOrder: TicketOrder = {
  ...order,
  id: '202605010002',
  type: 2,
  orderstatus: 0,
  showid: 's1',
  cinemaid: 'n200',
};
export const issuedOrder: TicketOrder = {
  ...legacyOrder,
  orderstatus: 'S',
  state_text: '已出票',
  ticketcodeList: [
    { name: '序列号', code: '88126031' },
    { name: '验证码', code: '5527' },
  ],
  smscontent: '凭序列号88126031、验证码5527到影院自助机取票。',
};

export const personalData: Copy = {
  made_at: '2026-05-01T12:00:00+08:00',
  account: {
    id: 1,
    phone: '13800000000',
    created_at: '2026-05-01T12:00:00+08:00',
    has_payment_password: true,
    avatar_url: '',
    wechat_openids: [],
  },
  cards: [],
  orders: [],
  sessions: [],
  events: [],
};

export const card: Card = {
  ...answers.cards['/api/api.php/Card/lists'].card_list[0]!,
  id: 'k1',
  pid: 1,
  name: '超级卡',
  num: '6222020000001234',
  price: '100.00',
  end_time: afternoon + 90 * 86_400,
  flag: 1,
  pays: ['any', 'movie', 'cake', 'book'],
};
export const filmCard: Card = {
  ...card,
  id: 'k2',
  pid: 3,
  name: '电影卡',
  num: '6222020000005678',
  price: '50.00',
  flag: 2,
  pays: ['movie'],
};
export const cakeCard: Card = {
  ...card,
  id: 'k4',
  pid: 2,
  name: '蛋糕卡',
  num: '6222020000009012',
  price: '200.00',
  pays: ['cake'],
};

export const rechargePackage: RechargePackage = {
  ...answers.cards['/api/api.php/Card/chongzhi khid=3'].taocan[0]!,
  id: '2',
  num: '100.00',
  price: '99.00',
  danjia: '0.99元/点',
};
export const cardRecord: CardRecord = { flag: 1, add_time: afternoon - 3600, price: '42.90', remark: '长风渡' };

export const member: BuyerPage = {
  ...answers.login['/Member/index'],
  img: '',
  phone: '138****0000',
  all_phone: '13800000000',
  card_num: 2,
  order_num: { all: 5, pending: 1, to_use: 2, completed: 1 },
  has_password: true,
};

export const category: Category = {
  ...answers.goods['/Kaquan/classify'].list[0]!,
  id: '1',
  name: '音乐会员',
  img: '/art/category/music.svg',
};
export const goods: Goods = {
  ...answers.goods['/Kaquan/lists fid=3'].list[0]!,
  id: '11',
  img: '/art/goods/melody.svg',
  title: '青鸟音乐豪华会员',
  price: '15.00',
  product: '无损音质，全曲库畅听',
  fid: '1',
  type: 2,
  stock: 60,
};
export const rechargeGoods: Goods = {
  ...goods,
  id: '12',
  title: '手机话费直充',
  price: '29.85',
  product: '全国通用，即时到账',
  fid: '7',
  type: 1,
};
export const goodsDetail: GoodsText = {
  ...answers.goods['/Kaquan/show id=7'].show,
  ...goods,
  gueige: '月卡',
  content: '<h3>商品说明</h3><p>兑换码一次有效。</p>',
  zxkf: 'https://service.test/',
  account: '',
};
export const sku: SKU = {
  ...answers.goods['/Kaquan/show id=7'].list[0]!,
  id: '111',
  sku: '月卡',
  gueige: '月卡',
  img: '/art/goods/melody.svg',
  price: '15.00',
  stock: 60,
  days: 31,
};
export const yearSku: SKU = { ...sku, id: '113', sku: '年卡', gueige: '年卡', price: '148.00', stock: 3, days: 366 };

export const cardOrder: GoodsOrder = {
  ...answers.goods['/Dyorder/kqshow id=26050118'].kqorder,
  id: '202605010009',
  state: 4,
  state_text: '已完成',
  kaquan: {
    id: '11',
    ggid: '111',
    img: '/art/goods/melody.svg',
    title: '青鸟音乐豪华会员',
    gueige: '月卡',
    end_time: afternoon + 31 * 86_400,
  },
  type: 2,
  number: 1,
  checking: false,
  total_fee: '15.00',
  phone: '',
  add_time: afternoon - 60,
  order_no: '202605010009',
  fuli: '[{"id":"k1","price":"15.00","title":"超级卡（尾号1234）"}]',
  ord_bs: 2,
  expiretime: afternoon + 840,
  refunds: [],
};
export const codes: GoodsCode[] = [{ num: 'DEMO0001', pass: '00007919' }];

export const h5Page = 'https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx1&package=9';
export const bridgeParams: BridgeParams = {
  ...answers.movie['/movie/route/Movie/wxpay oid=26050117 openid=openid-1'].jsApiParameters,
  appId: 'wx0000000000000001',
  timeStamp: '1777626000',
  nonceStr: 'n0nce',
  package: 'prepay_id=wx26170000000001',
  signType: 'RSA',
  paySign: 'c2ln',
};

/**
 * The sessions and identities that can log in to the account: this browser, another one, and an identity that is not
 * confirmed.
 */
export const openSessions: AccountOpeners = {
  sessions: [
    {
      id: 's1',
      device: 'iPhone · 微信',
      network: '203.0.113.*',
      created_at: '2026-05-01 09:30:00',
      used_at: '2026-05-01 12:00:00',
      current: true,
    },
    {
      id: 's2',
      device: 'Windows · Edge',
      network: '198.51.100.*',
      created_at: '2026-04-20 20:15:00',
      used_at: '2026-04-30 08:00:00',
      current: false,
    },
  ],
  identities: [
    {
      openid: 'oMarquee_00000001',
      bound_at: '2026-04-20 20:16:00',
      used_at: '2026-05-01 12:00:00',
      confirmed: false,
    },
  ],
};
