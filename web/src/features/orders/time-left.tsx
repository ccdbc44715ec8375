import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ordersChanged } from '../../shop/invalidate';
import { clockOffsetQuery } from '../../shop/server-time';
import { CountDown } from '../../ui/count-down';

/**
 * The time left to pay an order, until `until` (unix seconds). When that time has come, the orders are loaded again.
 */
export function TimeLeft({ until }: { until: number }) {
  const queries = useQueryClient();
  const { data: offset } = useQuery(clockOffsetQuery);
  if (offset === undefined) return null;
  return (
    <span className="order__clock">
      <CountDown until={until * 1000} offset={offset * 1000} onEnd={() => void ordersChanged(queries)} />
    </span>
  );
}
