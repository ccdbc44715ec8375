import { type Call, inWorld } from './call';
import type { NewFault, NewStub, NewTarget, SigningKeys } from './generated/control';

/** Every call that the console makes. Pages take their calls from here. */
export const calls = {
  worlds: (): Call => ({ method: 'GET', path: '/worlds' }),
  createWorld: (body: { id?: string; seed?: number; now?: string; frozen?: boolean }): Call => ({
    method: 'POST',
    path: '/worlds',
    body,
  }),
  world: (id: string): Call => ({ method: 'GET', path: `/worlds/${id}` }),
  deleteWorld: (id: string): Call => ({ method: 'DELETE', path: `/worlds/${id}` }),
  snapshot: (id: string): Call => ({ method: 'GET', path: `/worlds/${id}/snapshot` }),
  restoreInto: (id: string, file: string): Call => ({ method: 'POST', path: `/worlds/${id}/restore`, file }),
  restore: (file: string): Call => ({ method: 'POST', path: '/worlds/restore', file }),
  fork: (id: string): Call => ({ method: 'POST', path: `/worlds/${id}/fork` }),
  reset: (id: string): Call => ({ method: 'POST', path: `/worlds/${id}/reset` }),

  events: (world: string, after: string): Call => inWorld(world, { method: 'GET', path: '/events', query: { after } }),

  clock: (world: string): Call => inWorld(world, { method: 'GET', path: '/clock' }),
  advance: (world: string, body: { seconds: number } | { to: string }): Call =>
    inWorld(world, { method: 'POST', path: '/clock/advance', body }),
  moveClock: (world: string, how: 'freeze' | 'resume' | 'reset'): Call =>
    inWorld(world, { method: 'POST', path: `/clock/${how}` }),

  faults: (world: string): Call => inWorld(world, { method: 'GET', path: '/faults' }),
  planFault: (world: string, body: NewFault): Call => inWorld(world, { method: 'POST', path: '/faults', body }),
  removeFault: (world: string, id: string): Call => inWorld(world, { method: 'DELETE', path: `/faults/${id}` }),
  removeFaults: (world: string): Call => inWorld(world, { method: 'DELETE', path: '/faults' }),

  stubs: (world: string): Call => inWorld(world, { method: 'GET', path: '/stubs' }),
  addStub: (world: string, body: NewStub): Call => inWorld(world, { method: 'POST', path: '/stubs', body }),
  removeStub: (world: string, id: string): Call => inWorld(world, { method: 'DELETE', path: `/stubs/${id}` }),
  removeStubs: (world: string): Call => inWorld(world, { method: 'DELETE', path: '/stubs' }),

  targets: (world: string): Call => inWorld(world, { method: 'GET', path: '/webhooks/targets' }),
  addTarget: (world: string, body: NewTarget): Call =>
    inWorld(world, { method: 'POST', path: '/webhooks/targets', body }),
  removeTarget: (world: string, id: string): Call =>
    inWorld(world, { method: 'DELETE', path: `/webhooks/targets/${id}` }),
  resend: (world: string, body: { entry: number } | { operation: string; subject: string }): Call =>
    inWorld(world, { method: 'POST', path: '/webhooks/resend', body }),

  journal: (world: string, query: JournalQuery & { limit?: number }): Call =>
    inWorld(world, { method: 'GET', path: '/journal', query: { ...query } }),
  waitJournal: (world: string, query: JournalQuery & { after: number }): Call =>
    inWorld(world, { method: 'GET', path: '/journal/wait', query: { ...query, timeout: 30 } }),
  exportJournal: (world: string, query: JournalQuery & { format: 'har' | 'jsonl' }): Call =>
    inWorld(world, { method: 'GET', path: '/journal/export', query: { ...query } }),
  clearJournal: (world: string): Call => inWorld(world, { method: 'DELETE', path: '/journal' }),

  messages: (world: string, phone: string): Call =>
    inWorld(world, { method: 'GET', path: '/sms/messages', query: { phone } }),
  nextMessage: (world: string, phone: string, after: number): Call =>
    inWorld(world, { method: 'GET', path: '/sms/messages/next', query: { phone, after } }),
  forgetMessages: (world: string, phone: string): Call =>
    inWorld(world, { method: 'DELETE', path: '/sms/messages', query: { phone } }),

  catalogue: (world: string): Call => inWorld(world, { method: 'GET', path: '/catalogue' }),

  cities: (world: string, contains: string): Call =>
    inWorld(world, { method: 'GET', path: '/cities', query: { contains, limit: 400 } }),
  cinemas: (world: string, query: { provider: string; city: string }): Call =>
    inWorld(world, { method: 'GET', path: '/cinemas', query }),
  showings: (world: string, query: { provider: string; cinema: string; film: string; day: string }): Call =>
    inWorld(world, { method: 'GET', path: '/showings', query: { ...query, limit: 300 } }),
  seats: (world: string, showing: string): Call =>
    inWorld(world, { method: 'GET', path: `/showings/${showing}/seats` }),
  moveSeats: (world: string, showing: string, how: 'sell' | 'free', seats: string[]): Call =>
    inWorld(world, { method: 'POST', path: `/showings/${showing}/seats/${how}`, body: { seats } }),

  orders: (world: string, query: OrderQuery & { limit: number }): Call =>
    inWorld(world, { method: 'GET', path: '/orders', query: { ...query } }),
  pay: (world: string, prepay_id: string, outcome: 'pay' | 'cancel' | 'fail'): Call =>
    inWorld(world, { method: 'POST', path: '/wechat/pay', body: { prepay_id, outcome } }),
  miniProgramCode: (world: string, openid: string, purpose: 'login' | 'phone'): Call =>
    inWorld(world, { method: 'POST', path: '/wechat/codes', body: { openid, for: purpose } }),
  merchant: (world: string): Call => inWorld(world, { method: 'GET', path: '/wechat/merchant' }),
  signWith: (world: string, signs_with: SigningKeys): Call =>
    inWorld(world, { method: 'PATCH', path: '/wechat/merchant', body: { signs_with } }),
};

export interface JournalQuery {
  provider: string;
  operation: string;
  verdict: string;
  contains: string;
}

export interface OrderQuery {
  kind: string;
  provider: string;
  state: string;
  contains: string;
}
