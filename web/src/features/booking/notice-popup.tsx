import { useQuery } from '@tanstack/react-query';
import { appChannel } from '../../pay/app-channel';
import { coveredBy } from '../../pay/card-choice';
import { spendableCardsQuery } from '../../pay/spendable-cards';
import { hundredths, yuan } from '../../shop/price';
import { unbroken } from '../../shop/ticket-order';
import { Button } from '../../ui/button';
import { NoticeBar } from '../../ui/notice-bar';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';
import type { ShowInfo } from './seat-map';

interface NoticePopupProps {
  open: boolean;
  onClose: () => void;
  /** Locks the seats; the button stays busy until the promise settles. */
  onAgree: () => Promise<unknown>;
  busy: boolean;
  show: ShowInfo;
  /** The start of the show: 5月1日 周五 19:30. */
  when: string;
  seats: readonly string[];
  /** The price of all seats in yuan with two decimals. */
  total: string;
}

/**
 * Shows the showing, the seats and the price, and the terms of sale, which the customer accepts before the seats are
 * locked.
 */
export function NoticePopup({ open, onClose, onAgree, busy, show, when, seats, total }: NoticePopupProps) {
  const missing = useMissingPoints(open, total);
  return (
    <Popup open={open} onClose={busy ? undefined : onClose} title="购票须知">
      <dl className="mq-terms mq-sunken mq-p-12">
        <dt>影片</dt>
        <dd className="mq-medium mq-whole">{show.film}</dd>
        <dt>影院</dt>
        <dd className="mq-medium mq-whole">{show.cinema}</dd>
        <dt>影厅</dt>
        <dd className="mq-medium mq-whole">{show.hallName}</dd>
        <dt>场次</dt>
        <dd className="mq-medium mq-whole">{when}</dd>
        <dt>座位</dt>
        <dd className="mq-medium mq-whole">{seats.map(unbroken).join('、')}</dd>
        <dt>合计</dt>
        <dd className="mq-medium mq-whole">
          <Price amount={total} /> <small className="mq-small mq-regular">共{seats.length}座</small>
        </dd>
      </dl>
      {missing > 0 && (
        <NoticeBar icon="wechat">
          福利卡不足，还差 ¥{yuan(missing)} 需在微信中打开支付，锁座后可复制链接或扫码继续。
        </NoticeBar>
      )}
      <ol className="mq-bullets mq-grid mq-gap-8 mq-py-12 mq-second">
        <li>
          影票售出后<strong className="mq-brand mq-strong">不支持退票</strong>、
          <strong className="mq-brand mq-strong">不支持改签</strong>，请确认影院、场次与座位后再付款。
        </li>
        <li>座位锁定后请尽快完成支付，超时未付将自动释放。</li>
        <li>请在开场前凭电子票到影院取票，迟到可能影响入场。</li>
      </ol>
      <Button kind="primary" size="large" block loading={busy} onClick={onAgree}>
        同意并锁定座位
      </Button>
    </Popup>
  );
}

/**
 * The part of `total` (yuan), in fen, that the cards do not cover, if the buyer has to open the messaging app to pay
 * it. 0 if this browser can pay it, and while the cards are not loaded.
 */
function useMissingPoints(open: boolean, total: string): number {
  const away = appChannel() === 'none';
  const { data: cards } = useQuery({ ...spendableCardsQuery, enabled: open && away });
  if (!cards || !away) return 0;
  const ids = cards.map(({ id }) => id);
  return hundredths(total) - coveredBy(cards, ids, total);
}
