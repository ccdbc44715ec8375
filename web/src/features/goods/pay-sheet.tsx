import '../../ui/looks.css';
import './pay-sheet.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { AmountDue } from '../../pay/amount-due';
import { CheckoutForm } from '../../pay/checkout-form';
import { useCheckout } from '../../pay/use-checkout';
import { useIdentity } from '../../session/use-identity';
import { useIsOnPage } from '../../shop/navigation';
import { Button } from '../../ui/button';
import { ErrorState } from '../../ui/empty';
import { Picture } from '../../ui/picture';
import { Popup } from '../../ui/popup';
import { toast } from '../../ui/toast';
import { codeOf, customerMessage } from '../../wire/api-error';
import { type GoodsToPay, goodsPurchase, goodsQuoteQuery, walletQuery } from './goods-purchase';
import { groupedAccount } from './recharge-account';

interface PaymentEvents {
  /** Called with the order number when the shop has created an order that is not paid yet. */
  onOrder?: (oid: string) => void;
  /** Handles a rejected payment by its error code. Returns false if the message should only be shown. */
  onRejected: (code: string | undefined, message: string | undefined) => boolean;
  /** Called when the purchase has ended, so that the next one gets a new idempotency key. */
  onEnd?: () => void;
  /**
   * Called before the customer leaves for a page that the payment needs, so that the sheet can be opened again after
   * the return.
   */
  onLeave: () => void;
}

interface PaySheetProps extends PaymentEvents {
  open: boolean;
  onClose: () => void;
  goods: GoodsToPay;
  /** The sum to pay in yuan. */
  due: string;
  summary: { img: string; title: string; spec: string; account: string };
}

/** The sheet to pay for goods. */
export function PaySheet({ open, onClose, summary, ...payment }: PaySheetProps) {
  const queries = useQueryClient();
  const isOnPage = useIsOnPage();
  const [resumed, setResumed] = useState(false);
  const identifying = useIdentity(
    () => queries.invalidateQueries({ queryKey: ['wallet'] }).then(() => setResumed(true)),
    (failure) => toast(customerMessage(failure)),
  );
  const shown = open && !identifying;
  return (
    <Popup open={shown} onClose={onClose} title="订单支付" className="pay-sheet">
      <div className="mq-column mq-gap-12">
        <div className="mq-row mq-gap-12 mq-sunken mq-p-12">
          <Picture className="mq-fixed" src={summary.img} alt="" ratio="1" width={56} eager />
          <div>
            <strong className="mq-strong">{summary.title}</strong>
            <p className="mq-note">{summary.spec} × 1</p>
          </div>
        </div>
        {summary.account && (
          <div className="mq-centered">
            <p className="mq-note">充值账号</p>
            <strong className="mq-lh-135 mq-text-28 mq-strong">{groupedAccount(summary.account)}</strong>
            <p className="mq-note">请仔细核对，充值成功后无法退回</p>
          </div>
        )}
        {shown && (
          <GoodsCheckout {...payment} isOnPage={isOnPage} resumed={resumed} onResumed={() => setResumed(false)} />
        )}
      </div>
    </Popup>
  );
}

interface GoodsCheckoutProps extends PaymentEvents {
  goods: GoodsToPay;
  due: string;
  isOnPage: () => boolean;
  resumed: boolean;
  onResumed: () => void;
}

function GoodsCheckout({ goods, due, onRejected, onEnd, ...payment }: GoodsCheckoutProps) {
  const wallet = useQuery(walletQuery(goods.ggid));
  const checkout = useCheckout({
    ...payment,
    purchase: goodsPurchase(goods),
    cardsQuery: wallet,
    cards: wallet.data?.card_list,
    quoteOptions: (picked) => goodsQuoteQuery(goods, picked),
    due,
    purchaseKey: `goods ${goods.ggid}`,
    // If the cached answer says that there is no payment password, wait for a new answer: the customer may have just
    // set one.
    payer: wallet.data?.has_password || !wallet.isFetching ? wallet.data : undefined,
    onEnd: () => onEnd?.(),
    onRejected: (failure) => onRejected(codeOf(failure), customerMessage(failure)),
  });
  const { quote, payButton } = checkout;
  return (
    <CheckoutForm checkout={checkout} onLeave={payment.onLeave}>
      {quote.isError && !quote.data ? (
        <ErrorState message={customerMessage(quote.error)} onRetry={() => quote.refetch()} />
      ) : (
        <div className="pay-sheet__foot mq-submit__row mq-row mq-wrap mq-sheet mq-line-above">
          <div className="mq-submit__total">
            <AmountDue quote={quote.data} app={checkout.app} />
          </div>
          <Button
            kind="primary"
            size="large"
            disabled={payButton.disabled}
            loading={payButton.loading}
            onClick={payButton.onSubmit}
          >
            {payButton.text}
          </Button>
        </div>
      )}
    </CheckoutForm>
  );
}
