import { MatchersV3 } from '@pact-foundation/pact';
import type { GoodsOrder } from '../src/wire/generated/GoodsOrder';
import type { TicketOrder } from '../src/wire/generated/TicketOrder';
import * as sample from './samples';

const { equal, like, regex } = MatchersV3;

/** The envelopes of server/httpapi/README.md. Of the example data only types and names are compared. */
export const main = {
  says: (data: unknown) => ({ code: 200, msg: like('ok'), data: like(data) }),
  denies: (error: string, data?: object) => ({ code: 400, msg: like('不行'), error, data: data ? like(data) : null }),
  asksLogin: { code: '-1', msg: '请先登录', error: 'login_required', data: null },
};
export const card = { ...main, asksLogin: { ...main.asksLogin, code: -1 } };
export const newmovie = { ...card, says: (data: unknown) => ({ code: 0, msg: like('ok'), data: like(data) }) };
export const gateway = {
  says: (data: unknown) => ({ success: true, error: null, data: like(data) }),
  denies: (error_code: string) => ({
    success: false,
    error: { code: like('2004'), msg: like('暂无数据') },
    error_code,
    data: null,
  }),
};

/** A legacy order in a state that is given exactly, or as a regular expression. */
export function legacyOrder(orderstatus: string, codes: unknown = []) {
  const status = orderstatus.length === 1 ? equal(orderstatus) : regex(orderstatus, 'P');
  return { ...sample.legacyOrder, type: equal(1), orderstatus: status, ticketcodeList: codes };
}

export function newOrder(orderstatus: TicketOrder['orderstatus'], ticketCode: unknown = '') {
  return { ...sample.newOrder, type: equal(2), orderstatus: equal(orderstatus), ticketCode };
}

/** An order of goods in a state that is given exactly. */
export function cardOrder(state: GoodsOrder['state'], type: GoodsOrder['type'], refunds: unknown = []) {
  return { ...sample.cardOrder, state: equal(state), type: equal(type), ord_bs: equal(2), refunds };
}
