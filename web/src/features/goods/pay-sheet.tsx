import './pay-sheet.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { CardPicker } from '../../pay/card-picker';
import { PasswordSheet } from '../../pay/password-sheet';
import { PayMethods } from '../../pay/pay-methods';
import { payMethods } from '../../pay/payment-choice';
import { needsApp, sharesText } from '../../pay/quote';
import { useIdentity } from '../../session/use-identity';
import { cardChoice } from '../../shop/card';
import { paths } from '../../shop/paths';
import { Button } from '../../ui/button';
import { ErrorState } from '../../ui/empty';
import { NoticeBar } from '../../ui/notice-bar';
import { Picture } from '../../ui/picture';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';
import { Bone } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { useMounted } from '../../ui/use-mounted';
import { customerMessage } from '../../wire/api-error';
import type { Purchase } from './till';
import { type Buying, type PurchaseEvents, usePurchase } from './use-purchase';

interface PaySheetProps extends PurchaseEvents {
  open: boolean;
  onClose: () => void;
  purchase: Purchase;
  what: { img: string; title: string; spec: string; account: string };
}

/** The sheet that asks how goods are paid: who pays what, and the button. */
export function PaySheet({ open, onClose, what, ...purchase }: PaySheetProps) {
  const queries = useQueryClient();
  const here = useMounted();
  const [resumed, setResumed] = useState(false);
  const identifying = useIdentity(
    () => queries.invalidateQueries({ queryKey: ['purse'] }).then(() => setResumed(true)),
    (failure) => toast(customerMessage(failure)),
  );
  const shown = open && !identifying;
  return (
    <Popup open={shown} onClose={onClose} title="订单支付" className="pay-sheet">
      <div className="pay-sheet__what">
        <Picture src={what.img} alt="" ratio="1" width={56} eager />
        <div>
          <strong>{what.title}</strong>
          <p>{what.spec} × 1</p>
          {what.account && <p>充值账号 {what.account}</p>}
        </div>
      </div>
      {shown && <Paying {...purchase} here={here} resumed={resumed} onResumed={() => setResumed(false)} />}
    </Popup>
  );
}

function Paying(buying: Buying) {
  const [picking, setPicking] = useState(false);
  const paying = usePurchase(buying);
  const { purse, cards, picked } = paying;
  const quote = paying.quote.data;
  const methods = payMethods({ quote, cards, picked, pending: purse.isPending, app: paying.app });

  return (
    <>
      <PayMethods
        title="支付方式"
        cards={{ ...methods.cards, onPick: () => setPicking(true), disabled: !purse.data }}
        app={{ ...methods.app, onChange: paying.pickApp }}
      >
        {purse.isError && !purse.data && <ErrorState message="福利卡加载失败" onRetry={() => purse.refetch()} />}
      </PayMethods>
      {paying.reason && (
        <div role="alert">
          <NoticeBar tone="bad" icon="warning">
            {paying.reason}
          </NoticeBar>
        </div>
      )}
      {paying.quote.isError && !quote ? (
        <ErrorState message={customerMessage(paying.quote.error)} onRetry={() => paying.quote.refetch()} />
      ) : (
        <div className="pay-sheet__foot">
          <div>
            {!quote ? (
              <Bone width={96} height={28} />
            ) : needsApp(quote) ? (
              <Price amount={quote.wxprice} size="large" />
            ) : (
              <Price amount={quote.dkprice} unit="points" size="large" />
            )}
            {quote && <p>{sharesText(quote)}</p>}
          </div>
          <Button kind="primary" size="large" disabled={!paying.ready} loading={paying.busy} onClick={paying.pay}>
            确认支付
          </Button>
        </div>
      )}
      <CardPicker
        open={picking}
        title="选择福利卡"
        cards={cards.map(cardChoice)}
        none="暂无可用福利卡"
        picked={picked}
        onPick={paying.pickCards}
        onClose={() => setPicking(false)}
      />
      <PasswordSheet
        {...paying.password}
        busy={paying.busy}
        sum={
          <>
            福利卡支付
            <Price amount={quote?.dkprice ?? ''} unit="points" size="large" />
          </>
        }
        forgot={
          <Link to={paths.payPassword()} onClick={buying.onLeave}>
            忘记密码
          </Link>
        }
      />
    </>
  );
}
