import './remark.css';
import { useEffect, useRef } from 'react';
import { ServiceLink } from '../shop/service-link';
import { Button } from '../ui/button';
import { NoticeBar } from '../ui/notice-bar';

/** A remark that stays visible after an attempt to pay that did not end the purchase. */
export interface Remark {
  /**
   * `unknown`: it is not known whether the payment succeeded. `cancelled`: the buyer closed the messaging app's payment
   * sheet.
   */
  kind: 'failed' | 'cancelled' | 'unknown';
  text: string;
}

/** The advice while the outcome is not known. */
const whatNext = '如已付款，请勿重复支付，稍后可在订单或充值记录中查看；如未付款，可重新支付。';

interface PaymentRemarkProps {
  remark: Remark | undefined;
  /** Queries the outcome again; undefined if there is no order. */
  onQuery: (() => void) | undefined;
  /** Whether the outcome is being queried. The button stays, so that it keeps the focus. */
  querying: boolean;
}

/**
 * The remark on the last attempt, with a link to customer service unless the buyer cancelled. Renders nothing if there
 * is no remark.
 */
export function PaymentRemark({ remark, onQuery, querying }: PaymentRemarkProps) {
  const element = useRef<HTMLDivElement>(null);
  // Scroll to the remark, because on small phones the bar with the pay button would cover it.
  useEffect(() => {
    if (remark) element.current?.scrollIntoView?.({ block: 'nearest' });
  }, [remark]);
  if (!remark) return null;
  if (remark.kind === 'unknown') {
    return (
      <div ref={element} className="mq-remark" role="status">
        <NoticeBar icon="clock">
          <strong>{remark.text}</strong>
          <p className="mq-remark__next">{whatNext}</p>
          {onQuery && (
            <Button size="small" aria-disabled={querying} onClick={() => void (querying || onQuery())}>
              {querying ? '查询中…' : '查询结果'}
            </Button>
          )}
        </NoticeBar>
        <ServiceLink />
      </div>
    );
  }
  const failed = remark.kind === 'failed';
  return (
    <div ref={element} className="mq-remark" role="alert">
      <NoticeBar tone={failed ? 'bad' : 'warn'} icon={failed ? 'warning' : 'info'}>
        {remark.text}
      </NoticeBar>
      {failed && <ServiceLink />}
    </div>
  );
}
