// What the control API answers; simulators/control/openapi.json describes it.

export interface WorldInfo {
  id: string;
  seed: number;
  now: string;
  frozen: boolean;
  created: string;
  app_url: string;
  push_url: string;
  apps: number[];
  expires_in_seconds: number | null;
}

export interface WorldDetails extends WorldInfo {
  credentials: Record<string, unknown>;
  addresses: Record<string, string>;
  environment: Record<string, string>;
}

export interface Clock {
  world: string;
  now: string;
  unix: number;
  real: string;
  offset_seconds: number;
  frozen: boolean;
}

export interface Fault {
  provider: string;
  operation: string;
  do: string;
  nth?: number;
  skip?: number;
  times?: number;
  probability?: number;
  seed?: number;
  latency_ms?: number;
  status?: number;
  body?: string;
  code?: string;
  message?: string;
  host?: string;
  delay_s?: number;
}

export interface PlannedFault extends Fault {
  id: string;
  seen: number;
  hits: number;
}

export interface Effect {
  text: string;
  fields: string[];
}

export interface Provider {
  name: string;
  operations: string[];
  words: Record<string, string[]>;
  effects: Record<string, Effect>;
}

export interface FaultList {
  faults: PlannedFault[];
  providers: Provider[];
  words: (Effect & { do: string })[];
}

export const verdicts = ['ok', 'refused', 'fault', 'sent', 'failed', 'not-simulated', 'stubbed'] as const;
export type Verdict = (typeof verdicts)[number];

export interface Entry {
  id: number;
  at: string; // business time
  wire_at: string; // real time
  provider: string;
  operation: string;
  method: string;
  path: string;
  request: string;
  status: number;
  answer: string;
  verdict: Verdict;
  reason?: string;
  fault?: string;
  /** What a push or notify is about; missing for a call. */
  subject?: string;
  /** The target that got this copy. */
  target?: string;
  millis: number;
  signature?: { over: string; expected: string; got: string };
  delivery?: Delivery;
}

/** A push, notify or report as it was sent. Without a signature key_id and over are missing. */
export interface Delivery {
  headers: Record<string, string>;
  body: string;
  key_id?: string;
  over?: string;
}

export interface NewStub {
  provider: string;
  method?: string;
  path?: string;
  body?: string;
  answer: { status?: number; body?: string };
  times?: number;
}

export interface Stub extends NewStub {
  id: string;
  hits: number;
}

export interface NewTarget {
  url: string;
  operation?: string;
}

export interface TargetList {
  targets: (NewTarget & { id: string })[];
  operations: string[];
}

export interface Message {
  id: number;
  phone: string;
  text: string;
  code: string;
  at: string;
}

export interface Card {
  kahao: string;
  pass: string;
  pid: number;
  points: number;
  expires_in_days: number;
  note?: string;
}

export interface Magic {
  value: string;
  effect: string;
  do?: string;
}

export interface Catalogue {
  world: string;
  seed: number;
  cards: Card[];
  coupons: Card[];
  card_types: Record<string, string>;
  phones: Magic[];
  amounts: Magic[];
  openids: { openid: string; name: string; note?: string }[];
  addresses: Record<string, string>;
}

/** What the payment provider signs answers and notifies with. */
export type SignedWith = 'certificates' | 'moving' | 'public-key';

export interface Merchant {
  signs_with: SignedWith;
  mchid: string;
  mch_serial: string;
  apiclient_cert_pem: string;
  apiclient_key_pem: string;
  platform_certificates: { serial: string; pem: string }[];
  public_key_id: string;
  public_key_pem: string;
}

export interface Named {
  id: string;
  name: string;
}

export interface Cinema extends Named {
  provider: string;
  address: string;
  halls: number;
  all_day: boolean;
}

export interface Showing {
  id: string;
  provider: string;
  cinema: Named;
  city: Named;
  film: Named;
  hall: { name: string; seats: number };
  edition: string;
  language: string;
  starts: string;
  ends: string;
  closes: string;
  sellable: boolean;
  price_fen: number;
}

export interface ShowingList {
  showings: Showing[];
  total: number;
  day: string;
  days: string[];
}

export type SeatState = 'free' | 'locked' | 'sold' | 'others';

export interface Seat {
  id: string;
  name: string;
  row: number;
  col: number;
  row_name: string;
  number: string;
  area?: string;
  pair?: 'left' | 'right';
  price_fen: number;
  state: SeatState;
  order?: string;
  mobile?: string;
  until?: string;
}

export interface SeatMap {
  showing: Showing;
  rows: number;
  cols: number;
  areas: { id: string; name: string; price_fen: number }[];
  counts: Record<SeatState, number>;
  seats: Seat[];
}

export interface Order {
  kind: 'ticket' | 'payment' | 'refund';
  provider: string;
  no: string;
  id: string;
  state: string;
  amount_fen: number;
  at: string;
  history: { state: string; at: string }[];
  ticket?: {
    showing: Showing;
    seats: string[];
    seat_ids: string[];
    mobile: string;
    until: string;
    codes: { name: string; code: string }[];
    sms?: string;
    reason?: string;
  };
  payment?: {
    prepay_id: string;
    openid: string;
    description: string;
    notify_url: string;
    until: string;
    payable: boolean;
    refunded_fen: number;
  };
  refund?: { out_trade_no: string; reason: string };
}

export interface OrderList {
  orders: Order[];
  total: number;
  states: string[];
}
