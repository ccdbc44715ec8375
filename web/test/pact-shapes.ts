import { MatchersV3 } from '@pact-foundation/pact';

const { eachLike, integer, like, regex, boolean } = MatchersV3;

/** Yuan or points with two decimals. */
const amount = (example: string) => regex('\\d+\\.\\d{2}', example);
const clock = (example: string) => regex('\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}', example);

/** The envelopes of server/httpapi/README.md. */
export const main = {
  says: (data: unknown) => ({ code: 200, msg: like('ok'), data }),
  denies: (error: string, data: unknown = null) => ({ code: 400, msg: regex('.+', '不行'), error, data }),
  asksLogin: { code: '-1', msg: '请先登录', error: 'login_required', data: null },
};
export const card = { ...main, asksLogin: { ...main.asksLogin, code: -1 } };
export const newmovie = { ...card, says: (data: unknown) => ({ code: 0, msg: like('ok'), data }) };
export const gateway = {
  says: (data: unknown) => ({ success: true, error: null, data }),
  denies: (error_code: string) => ({
    success: false,
    error: { code: like('2004'), msg: regex('.+', '暂无数据') },
    error_code,
    data: null,
  }),
};

export const city = {
  id: like('310100'),
  name: like('上海市'),
  cityid1: like('310100'),
  cityid2: like('2009'),
  pinyin: like('shanghai'),
};

export const content = {
  banners: eachLike({ id: like('1'), img: like('/art/banner.svg'), url: like('/hotlist'), title: like('本周热映') }),
  kaquan_list1: like([]),
  kaquan_list2: like([]),
};
export const tiles = eachLike({
  id: like('1'),
  img: like('/art/tile.svg'),
  title: like('超级卡'),
  price: amount('100.00'),
  url: like('/bindingCard'),
});

export const legacyFilm = {
  movieid: like('1316'),
  moviecode: like('061173402520'),
  moviename: like('机械心跳'),
  poster: like('/art/poster.svg'),
  score: like('8.8'),
  director: like('沈鹿鸣'),
  star: like('苏清如 程拾光'),
  category: like('科幻|爱情'),
  version: like('3D'),
  wish: integer(400058),
  showst: integer(1),
};

export const drama = {
  projectid: like('5001'),
  name: like('茶馆外的雪'),
  poster: like('/art/drama.svg'),
  venue: like('上海大剧院'),
  city: like('上海市'),
  showtime: like('2026-12-01 19:30'),
  minprice: integer(18000),
};

export const film = {
  movieId: like('1316'),
  movieCode: like('061173402520'),
  name: like('机械心跳'),
  posterUrl: like('/art/poster.svg'),
  score: like('8.8'),
  star: like('苏清如 程拾光'),
  director: like('沈鹿鸣'),
  category: like('科幻|爱情'),
  version: like('3D'),
  wish: integer(400058),
  isPreShow: integer(0),
  showSt: integer(1),
};

export const filmDetail = {
  movieId: like('1316'),
  movieCode: like('061173402520'),
  img: like('/art/poster.svg'),
  name: like('机械心跳'),
  nm: like('Mechanical Heartbeat'),
  director: like('沈鹿鸣'),
  star: like('苏清如 程拾光'),
  cat: like('科幻|爱情'),
  pubDesc: like('2026-11-18 中国大陆上映'),
  dur: like('119'),
  desc: like('修钟表的姑娘爱上了一台机器人。'),
  score: like('8.8'),
  wish: integer(400058),
  version: like('3D'),
  showSt: integer(1),
  workerList: eachLike({ avatarUrl: like('/art/a.svg'), actorName: like('苏清如'), characterName: like('饰 守塔人') }),
};

export const opi = {
  opiid: like('172132516100'),
  cinemaid: like('17213'),
  cinemaname: like('万象幕影城'),
  movieid: like('1316'),
  moviename: like('机械心跳'),
  playdate: regex('\\d{4}-\\d{2}-\\d{2}', '2026-11-21'),
  playtime: clock('2026-11-21 09:10:00'),
  endtime: clock('2026-11-21 11:09:00'),
  closetime: clock('2026-11-21 09:00:00'),
  edition: like('3D'),
  language: like('国语'),
  roomname: like('1号迷你厅'),
  showPrice: integer(6750),
  price: integer(5520),
  areaPrice: like(''),
};

export const seat = {
  seatid: like('0101'),
  name: like('1排1座'),
  row: integer(1),
  column: integer(1),
  rowname: like('1'),
  area: like(''),
  status: integer(1),
  flag: integer(0),
};

export const session = {
  sessionId: like('5072112521200'),
  showTime: clock('2026-11-26 09:30:00'),
  endTime: clock('2026-11-26 11:29:00'),
  version: like('3D'),
  language: like('国语'),
  hall: like('2号迷你厅'),
  originPrice: amount('45.20'),
  listPrice: amount('56.60'),
  sellable: boolean(true),
};

export const openSession = {
  ...session,
  cinemaId: like('507211'),
  cinemaCode: like('31207211'),
  cinemaName: like('云幕影城'),
  movieId: like('1316'),
  movieCode: like('061173402520'),
  movieName: like('机械心跳'),
};

export const movie = {
  movieId: like('1316'),
  movieCode: like('061173402520'),
  name: like('机械心跳'),
  posterUrl: like('/art/poster.svg'),
  showmark: like('3D'),
  duration: integer(119),
  category: like('科幻|爱情'),
  score: like('8.8'),
  shows: eachLike({ showDate: regex('\\d{4}-\\d{2}-\\d{2}', '2026-11-26'), sessions: eachLike(session) }),
};

const order = {
  id: like('26112019504638967617'),
  order_id: like('P1'),
  state_text: regex('.+', '待付款'),
  moviename: like('机械心跳'),
  movielogo: like('/art/poster.svg'),
  cinemaname: like('万象幕影城'),
  cinemaaddress: like('和平路945号'),
  roomname: like('1号厅'),
  seats: regex('[^,]+(,[^,]+)*', '7排8座,7排9座'),
  quantity: integer(2),
  showamount: amount('141.60'),
  mobile: regex('1\\d{10}', '13800000000'),
  playtime: integer(1795224000),
  edition: like('3D'),
  add_time: integer(1795175925),
  expiretime: integer(1795176825),
  smscontent: like(''),
  ord_bs: 1,
  stuck: boolean(false),
};

/** A legacy order in a state that is given exactly, or as a regular expression. */
export function legacyOrder(orderstatus: string, codes: unknown = like([])) {
  return {
    ...order,
    type: 1,
    orderstatus: orderstatus.length === 1 ? orderstatus : regex(orderstatus, 'P'),
    ticketcodeList: codes,
  };
}

export function newOrder(orderstatus: number, codes: unknown = like('')) {
  return { ...order, type: 2, orderstatus, ticketCode: codes };
}

export const ticketcodes = eachLike({ name: regex('.+', '取票号'), code: regex('.+', '55325177') });

export const welfareCard = {
  id: like('1'),
  pid: integer(1),
  name: regex('.+', '超级卡'),
  num: like('8014414365634014'),
  price: amount('500.00'),
  end_time: integer(1826712000),
  flag: 1,
  pays: ['any', 'movie', 'cake', 'book'],
};

export const counts = { all: integer(1), pending: integer(0), to_use: integer(1), completed: integer(0) };

export const bridge = {
  appId: regex('.+', 'wx23f19fc5037b9764'),
  timeStamp: regex('\\d+', '1795175925'),
  nonceStr: regex('.+', 'n0nce'),
  package: regex('prepay_id=.+', 'prepay_id=wx1'),
  signType: 'RSA',
  paySign: regex('.+', 'c2ln'),
};

export { amount };

export const category = { id: like('1'), name: regex('.+', '音乐会员'), img: like('/art/category/music.svg') };

export const goods = {
  id: like('1'),
  img: like('/art/goods/melody.svg'),
  title: regex('.+', '青鸟音乐豪华会员'),
  price: amount('15.00'),
  product: like('无损音质，全曲库畅听'),
  fid: like('1'),
  type: integer(2),
  stock: integer(60),
};

/** An order of goods in a state that is given exactly. */
export function cardOrder(state: number, type: number, refunds: unknown = like([])) {
  return {
    id: like('26112019504638967617'),
    state,
    state_text: regex('.+', '已完成'),
    kaquan: {
      id: like('1'),
      ggid: like('1'),
      img: like('/art/goods/melody.svg'),
      title: regex('.+', '青鸟音乐豪华会员'),
      gueige: regex('.+', '月卡'),
      end_time: integer(1797854325),
    },
    type,
    number: 1,
    total_fee: amount('15.00'),
    phone: like(''),
    add_time: integer(1795175925),
    order_no: like('26112019504638967617'),
    fuli: regex('\\[.*\\]', '[{"id":"1","price":"15.00","title":"超级卡（尾号0001）"}]'),
    ord_bs: 2,
    expiretime: integer(1795176825),
    refunds,
    checking: boolean(false),
  };
}
