import type { To } from 'react-router';

type Query = Record<string, string | number | undefined>;

function at(pathname: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') params.set(key, String(value));
  }
  const search = params.toString();
  return search ? `${pathname}?${search}` : pathname;
}

/** The addresses of all pages. The query names are part of the specification, because other systems link to them. */
export const paths = {
  home: () => at('/index'),
  /** With isphone=1 the login binds the phone to an identity in the messaging app (session/carried-identity.ts). */
  login: (query: { isphone?: string } = {}) => at('/login', query),
  quickLogin: () => at('/quickLogin'),
  cityList: (query: { city?: string; change?: string } = {}) => at('/citylist', query),
  cinemas: (query: { movieId?: string; movieCode?: string; moveName?: string } = {}) => at('/multiplex', query),
  legacyCinema: (query: { id: string; city?: string | undefined; moveName?: string | undefined }) =>
    at('/multiplexDetail', query),
  newCinema: (query: {
    id: string;
    city?: string | undefined;
    moveId?: string | undefined;
    movieCode?: string | undefined;
  }) => at('/multiplexNewDetail', query),
  /** cinemaid is the cinema of the showing. The address contains it because the legacy source's seat maps may not. */
  legacySeats: (query: { opiid: string; movieid: string; cinemaid?: string | undefined }) => at('/filmSeat', query),
  newSeats: (query: { sessionId: string; cinemaId: string; movieId: string; sid?: string | undefined }) =>
    at('/filmNewSeat', query),
  pay: (order: string, query: { change?: string | undefined; new?: string | undefined } = {}) =>
    at('/paymentpage', { order, ...query }),
  payPassword: () => at('/payPassword'),
  accountSecurity: () => at('/accountSecurity'),
  confirmAccount: () => at('/confirmAccount'),
  changePhone: () => at('/changePhone'),
  /** With an openid, only this identity in the messaging app is unbound. */
  unbind: (what: 'phone' | 'wechat', openid?: string) => at('/unbind', { what, openid }),
  exportData: () => at('/exportData'),
  closeAccount: () => at('/closeAccount'),
  /** movieCode is for films of the ranking, whose id is that of the legacy source. */
  film: (query: {
    id: string;
    showSt?: string | number | undefined;
    cityid?: string | undefined;
    movieCode?: string | undefined;
  }) => at('/filmdetail', query),
  hotList: (cityid?: string) => at('/hotlist', { cityid }),
  me: () => at('/personCenter'),
  orders: (tabIndex: 0 | 1 | 2 | 3 = 0) => at('/orderInfo', { tabIndex }),
  order: (id: string) => at('/orderpage', { id }),
  /** With pay 1, the page opens the payment of an unpaid order at once. */
  cardOrder: (id: string, query: { pay?: string } = {}) => at('/cardorderinfo', { id, ...query }),
  members: () => at('/memberindex'),
  music: () => at('/musicmember'),
  reading: () => at('/readmember'),
  recharges: () => at('/movelist'),
  category: (id: string, index: number) => at('/memberClass', { id, index }),
  goods: (id: string) => at('/couponsDetail', { id }),
  cards: (query: { active?: string; change?: string } = {}) => at('/securitycards', query),
  card: (card: { cardid: string; id?: number; cardName?: string; backImg?: string; data?: string }) =>
    at('/cardinfo', card),
  consumptionRecords: (cardId: string) => at('/consumptionRecords', { cardId }),
  rechargeRecords: (cardId: string) => at('/rechargeRecords', { cardId }),
  recharge: (cardId: string) => at('/package', { cardId }),
  bindCard: () => at('/bindingCard'),
  couponCode: () => at('/couponCode'),
  privacy: () => at('/yinsizhengce'),
  rules: () => at('/useexplain'),
} satisfies Record<string, (...args: never[]) => To>;

/** The history state with which the bindCard page, after a card is bound, goes back one page instead of two. */
export const directBinding = { direct: true };
