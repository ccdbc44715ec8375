import { call, inWorld } from './call';
import type {
  NewFault,
  NewStub,
  NewTarget,
  NewWorld,
  Outcome,
  Purpose,
  Resend,
  SigningKeys,
} from './generated/control';

/** Every call that the console makes. Pages take their calls from here. */
export const calls = {
  worlds: () => call('GET', '/sim/v1/worlds'),
  createWorld: (body: NewWorld) => call('POST', '/sim/v1/worlds', { body }),
  world: (id: string) => call('GET', '/sim/v1/worlds/{id}', { path: { id } }),
  deleteWorld: (id: string) => call('DELETE', '/sim/v1/worlds/{id}', { path: { id } }),
  snapshot: (id: string) => call('GET', '/sim/v1/worlds/{id}/snapshot', { path: { id } }),
  restoreInto: (id: string, file: string) => call('POST', '/sim/v1/worlds/{id}/restore', { path: { id }, file }),
  restore: (file: string) => call('POST', '/sim/v1/worlds/restore', { file }),
  fork: (id: string) => call('POST', '/sim/v1/worlds/{id}/fork', { path: { id } }),
  reset: (id: string) => call('POST', '/sim/v1/worlds/{id}/reset', { path: { id } }),

  events: (world: string) => inWorld(world, call('GET', '/sim/v1/events')),

  clock: (world: string) => inWorld(world, call('GET', '/sim/v1/clock')),
  advance: (world: string, body: { seconds: number } | { to: string }) =>
    inWorld(world, call('POST', '/sim/v1/clock/advance', { body })),
  moveClock: (world: string, how: 'freeze' | 'resume' | 'reset') =>
    inWorld(world, call('POST', `/sim/v1/clock/${how}`)),

  faults: (world: string) => inWorld(world, call('GET', '/sim/v1/faults')),
  planFault: (world: string, body: NewFault) => inWorld(world, call('POST', '/sim/v1/faults', { body })),
  removeFault: (world: string, id: string) => inWorld(world, call('DELETE', '/sim/v1/faults/{id}', { path: { id } })),
  removeFaults: (world: string) => inWorld(world, call('DELETE', '/sim/v1/faults')),

  stubs: (world: string) => inWorld(world, call('GET', '/sim/v1/stubs')),
  addStub: (world: string, body: NewStub) => inWorld(world, call('POST', '/sim/v1/stubs', { body })),
  removeStub: (world: string, id: string) => inWorld(world, call('DELETE', '/sim/v1/stubs/{id}', { path: { id } })),
  removeStubs: (world: string) => inWorld(world, call('DELETE', '/sim/v1/stubs')),

  targets: (world: string) => inWorld(world, call('GET', '/sim/v1/webhooks/targets')),
  addTarget: (world: string, body: NewTarget) => inWorld(world, call('POST', '/sim/v1/webhooks/targets', { body })),
  removeTarget: (world: string, id: string) =>
    inWorld(world, call('DELETE', '/sim/v1/webhooks/targets/{id}', { path: { id } })),
  resend: (world: string, body: Resend) => inWorld(world, call('POST', '/sim/v1/webhooks/resend', { body })),

  journal: (world: string, query: JournalQuery & { limit?: number }) =>
    inWorld(world, call('GET', '/sim/v1/journal', { query })),
  waitJournal: (world: string, query: JournalQuery & { after: number }) =>
    inWorld(world, call('GET', '/sim/v1/journal/wait', { query: { ...query, timeout: 30 } })),
  exportJournal: (world: string, query: JournalQuery & { format: 'har' | 'jsonl' }) =>
    inWorld(world, call('GET', '/sim/v1/journal/export', { query })),
  clearJournal: (world: string) => inWorld(world, call('DELETE', '/sim/v1/journal')),

  messages: (world: string, phone: string) => inWorld(world, call('GET', '/sim/v1/sms/messages', { query: { phone } })),
  nextMessage: (world: string, phone: string, after: number) =>
    inWorld(world, call('GET', '/sim/v1/sms/messages/next', { query: { phone, after } })),
  forgetMessages: (world: string, phone: string) =>
    inWorld(world, call('DELETE', '/sim/v1/sms/messages', { query: { phone } })),

  catalogue: (world: string) => inWorld(world, call('GET', '/sim/v1/catalogue')),

  cities: (world: string, contains: string) =>
    inWorld(world, call('GET', '/sim/v1/cities', { query: { contains, limit: 400 } })),
  cinemas: (world: string, query: { provider: string; city: string }) =>
    inWorld(world, call('GET', '/sim/v1/cinemas', { query })),
  showings: (world: string, query: { provider: string; cinema: string; film: string; day: string }) =>
    inWorld(world, call('GET', '/sim/v1/showings', { query: { ...query, limit: 300 } })),
  seats: (world: string, showing: string) =>
    inWorld(world, call('GET', '/sim/v1/showings/{id}/seats', { path: { id: showing } })),
  moveSeats: (world: string, showing: string, how: 'sell' | 'free', seats: string[]) =>
    inWorld(world, call('POST', `/sim/v1/showings/{id}/seats/${how}`, { path: { id: showing }, body: { seats } })),

  orders: (world: string, query: OrderQuery & { limit: number }) =>
    inWorld(world, call('GET', '/sim/v1/orders', { query })),
  pay: (world: string, prepay_id: string, outcome: Outcome) =>
    inWorld(world, call('POST', '/sim/v1/wechat/pay', { body: { prepay_id, outcome } })),
  miniProgramCode: (world: string, openid: string, purpose: Purpose) =>
    inWorld(world, call('POST', '/sim/v1/wechat/codes', { body: { openid, for: purpose } })),
  merchant: (world: string) => inWorld(world, call('GET', '/sim/v1/wechat/merchant')),
  signWith: (world: string, signs_with: SigningKeys) =>
    inWorld(world, call('PATCH', '/sim/v1/wechat/merchant', { body: { signs_with } })),
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
