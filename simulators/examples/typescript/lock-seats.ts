/**
 * Over plain HTTP: creates a world, signs a call that locks seats, loses its answer by a planned fault, and reads the
 * journal's entry.
 * Needs fetch and WebCrypto (a browser, Node 20, Deno, Bun) and simulators: bin/sim -providers-only
 */
import { type Schemas, simulators } from 'marquee-simulators';

declare const process: { env: Record<string, string | undefined> };
const SIM = process.env.SIM ?? 'http://127.0.0.1:9090';

const sim = simulators(SIM);
type World = Schemas['WorldDetails'];

/** Signs the fields in ASCII order, names and values joined, in the gateway's dialect hmac-sha256. */
async function sign(fields: Record<string, string>, secret: string): Promise<string> {
  const text = Object.keys(fields).sort().map((name) => name + fields[name]).join('');
  const bytes = (s: string) => new TextEncoder().encode(s);
  const key = await crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes(text)));
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('').toUpperCase();
}

/** Calls the legacy gateway in a world, which the appkey chooses. */
async function gateway<T>(world: World, method: string, fields: Record<string, string>): Promise<T> {
  const { appkey, secret } = world.credentials.gateway;
  const timestamp = new Date(Date.now() + 8 * 3600_000).toISOString().slice(0, 19).replace('T', ' '); // GMT+8
  const form = { ...fields, method, appkey, timestamp, v: '2.0', sign_method: 'hmac-sha256' };
  const body = new URLSearchParams({ ...form, sign: await sign(form, secret) });
  const answer = await (await fetch(`${SIM}/gateway`, { method: 'POST', body })).json();
  if (!answer.success) throw new Error(`${method}: ${answer.error.code} ${answer.error.msg}`);
  return answer.data;
}

/** Finds a showing with a single seat that is for sale. */
async function freeSeat(world: World): Promise<{ opiid: string; seatids: string }> {
  const { cinemaList } = await gateway<{ cinemaList: { cinemaid: string }[] }>(world, 'cinema.list', { cityid: '310100' });
  const { opiList } = await gateway<{ opiList: { opiid: string }[] }>(world, 'opi.list.v2', { cinemaid: cinemaList[0]!.cinemaid });
  for (const { opiid } of opiList.reverse()) {
    type Seat = { seatid: string; status: number; flag: number };
    const { seatList } = await gateway<{ seatList: Seat[] }>(world, 'opi.seat', { opiid });
    const seat = seatList.find(({ status, flag }) => status === 1 && flag === 0);
    if (seat) return { opiid, seatids: seat.seatid };
  }
  throw new Error('everything is sold');
}

const world = await sim('POST', '/sim/v1/worlds', { body: { seed: 7 } });
const query = { world: world.id };
try {
  const seat = await freeSeat(world);
  const fault = { provider: 'gateway', operation: 'seat.lock', do: 'act-then-reset', times: 1 } as const;
  await sim('POST', '/sim/v1/faults', { query, body: fault });
  const order = { orderno: 'A1' };
  const lost = await gateway(world, 'seat.lock', { ...order, ...seat, mobile: '13900000007' }).catch((error: Error) => error);
  console.log('seat.lock:', lost instanceof Error ? 'no answer' : 'answered');

  const state = async () => (await gateway<{ state: string }>(world, 'order.query', order)).state;
  console.log('order.query:', await state()); // it had acted
  await sim('POST', '/sim/v1/clock/advance', { query, body: { seconds: 15 * 60 } });
  console.log('15 minutes later:', await state());

  const { entries } = await sim('GET', '/sim/v1/journal', { query: { ...query, operation: 'seat.lock' } });
  console.log('journal:', entries.map((e) => `${e.operation} ${e.verdict} ${e.fault}`).join());
} finally {
  await sim('DELETE', '/sim/v1/worlds/{id}', { params: { id: world.id } });
}
