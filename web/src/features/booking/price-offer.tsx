import { yuan } from '../../shop/price';
import { Button } from '../../ui/button';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';

/** The new price of the selected seats, which the shop returns when it rejects a lock at the old one. In fen. */
export interface PriceOffer {
  /** The shop's message. */
  message: string;
  /** The total that the customer had agreed to. */
  before: number;
  /** The new total. */
  total: number;
}

interface PriceOfferPopupProps {
  offer: PriceOffer | undefined;
  /** Locks the seats for the new total; the button stays busy until the promise settles. */
  onAccept: (total: number) => Promise<unknown>;
  onClose: () => void;
  busy: boolean;
}

/** Offers to lock the seats at the new price. If the popup is closed, the seats stay selected. */
export function PriceOfferPopup({ offer, onAccept, onClose, busy }: PriceOfferPopupProps) {
  return (
    <Popup open={offer !== undefined} onClose={busy ? undefined : onClose} title="票价已变动">
      {offer && (
        <div className="mq-column mq-gap-12 mq-whole">
          <p>{offer.message}</p>
          <dl className="mq-terms mq-sunken mq-p-12">
            <dt>原价</dt>
            <dd className="mq-medium mq-whole">
              <s>¥{yuan(offer.before)}</s>
            </dd>
            <dt>现价</dt>
            <dd className="mq-medium mq-whole">
              <Price amount={yuan(offer.total)} />
            </dd>
          </dl>
          <Button kind="primary" size="large" block loading={busy} onClick={() => onAccept(offer.total)}>
            按现价锁定（¥{yuan(offer.total)}）
          </Button>
          <Button size="large" block onClick={onClose}>
            重新选座
          </Button>
        </div>
      )}
    </Popup>
  );
}
