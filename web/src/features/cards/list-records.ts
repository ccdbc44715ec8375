import { infiniteQueryOptions } from '@tanstack/react-query';
import { hundredths, yuan } from '../../shop/price';
import type { IconName } from '../../ui/icon';
import { post, token } from '../../wire/client';
import type { CardRecord } from '../../wire/generated/CardRecord';
import { CardRecordPage } from '../../wire/generated/CardRecordPage';

/** Which records are listed: payments with the card, or its recharges. */
export type RecordKind = 'consume' | 'recharge';

/** The page size that requests all records. The shop sends fewer on one page, and the total number with them. */
const pageSize = 10_000;

export function listRecords(kind: RecordKind, khid: string, pageno: number, signal?: AbortSignal) {
  return post(`/api/api.php/Card/${kind}`, { ...token(), khid, pageno, pagesize: pageSize }, CardRecordPage, {
    signal,
  });
}

export function recordsQuery(kind: RecordKind, khid: string) {
  return infiniteQueryOptions({
    queryKey: ['card-records', khid, kind],
    queryFn: ({ pageParam, signal }) => listRecords(kind, khid, pageParam, signal),
    enabled: khid !== '',
    staleTime: 0,
    initialPageParam: 1,
    getNextPageParam: (last, pages, page) => {
      const loaded = pages.reduce((sum, { list }) => sum + list.length, 0);
      return last.list.length > 0 && loaded < last.total ? page + 1 : undefined;
    },
  });
}

interface Look {
  name: string;
  sign: '+' | '−';
  icon: IconName;
  tone: 'plain' | 'gold' | 'ok' | 'warn';
}

const kinds: Record<number, Look> = {
  1: { name: '消费', sign: '−', icon: 'card', tone: 'plain' },
  2: { name: '微信充值', sign: '+', icon: 'wechat', tone: 'ok' },
  3: { name: '平台充值', sign: '+', icon: 'wallet-plus', tone: 'gold' },
  4: { name: '平台扣减', sign: '−', icon: 'minus', tone: 'warn' },
};

/** The title of a record. */
export function recordName({ flag }: Pick<CardRecord, 'flag'>): string {
  return kinds[flag]?.name ?? '其他';
}

/** The icon and color of a record. For a payment the icon shows whether it was for tickets or goods. */
export function recordIcon({ flag, kind }: CardRecord): Pick<Look, 'icon' | 'tone'> {
  const { icon, tone } = kinds[flag] ?? ({ icon: 'document', tone: 'plain' } as const);
  return { icon: kind === 'ticket' ? 'ticket' : kind === 'goods' ? 'bag' : icon, tone };
}

/** The points of a record with a sign: a minus for payments and deductions, a plus for recharges. */
export function signedPoints({ flag, price }: Pick<CardRecord, 'flag' | 'price'>): string {
  return `${kinds[flag]?.sign ?? ''}${price}`;
}

/** The sum of the points of records with its sign. */
export function signedSum(records: readonly Pick<CardRecord, 'flag' | 'price'>[]): string {
  const sum = records.reduce(
    (total, { flag, price }) => total + (kinds[flag]?.sign === '−' ? -1 : 1) * hundredths(price),
    0,
  );
  return `${sum < 0 ? '−' : '+'}${yuan(Math.abs(sum))}`;
}
