import { MatchersV3 } from '@pact-foundation/pact';
import type { GoodsOrder } from '../src/wire/generated/GoodsOrder';
import type { TicketOrder } from '../src/wire/generated/TicketOrder';
import * as sample from './samples';

const { equal, like, regex } = MatchersV3;

/**
 * The envelopes of server/httpapi/README.md, with matchers: of the example data only the names and types of fields are
 * compared.
 */
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

/**
 * A legacy order whose state must be `orderstatus` if that is one letter, or else must match it as a regular
 * expression.
 */
export function legacyOrder(orderstatus: string, codes: unknown = []) {
  const status = orderstatus.length === 1 ? equal(orderstatus) : regex(orderstatus, 'P');
  return { ...sample.legacyOrder, type: equal(1), orderstatus: status, ticketcodeList: codes };
}

export function newOrder(orderstatus: TicketOrder['orderstatus'], ticketCode: unknown = '') {
  return { ...sample.newOrder, type: equal(2), orderstatus: equal(orderstatus), ticketCode };
}

/** An order of goods whose state and type must be exactly these. */
export function cardOrder(state: GoodsOrder['state'], type: GoodsOrder['type'], refunds: unknown = []) {
  return { ...sample.cardOrder, state: equal(state), type: equal(type), ord_bs: equal(2), refunds };
}
