import { queryOptions } from '@tanstack/react-query';
import { post } from '../../wire/client';
import { GoodsDetail } from '../../wire/generated/GoodsDetail';

export function showGoods(id: string, signal?: AbortSignal) {
  return post('/Kaquan/show', { id }, GoodsDetail, { signal });
}

export function shownGoodsQuery(id: string) {
  return queryOptions({ queryKey: ['goods', id], queryFn: ({ signal }) => showGoods(id, signal) });
}
