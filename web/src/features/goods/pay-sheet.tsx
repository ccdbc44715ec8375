import './pay-sheet.css';
import { useState } from 'react';
import { Link } from 'react-router';
import { customerMessage } from '../../api/api-error';
import { cardChoice } from '../../api/card';
import { paths } from '../../api/paths';
import { needsApp, sharesText } from '../../api/quote';
import { shares } from '../../api/shares';
import { Button } from '../../ui/button';
import { CardPicker } from '../../ui/card-picker';
import { ErrorState } from '../../ui/empty';
import { NoticeBar } from '../../ui/notice-bar';
import { PasswordSheet } from '../../ui/password-sheet';
import { PayMethods } from '../../ui/pay-methods';
import { Picture } from '../../ui/picture';
import { Popup } from '../../ui/popup';
import { Price } from '../../ui/price';
import { Bone } from '../../ui/skeleton';
import type { Purchase } from './till';
import { type PurchaseEvents, usePurchase } from './use-purchase';

interface PaySheetProps extends PurchaseEvents {
  open: boolean;
  onClose: () => void;
  purchase: Purchase;
  what: { img: string; title: string; spec: string; account: string };
}

/** The sheet that asks how goods are paid: who pays what, and the button. */
export function PaySheet({ open, onClose, what, purchase, ...events }: PaySheetProps) {
  return (
    <Popup open={open} onClose={onClose} title="订单支付" className="pay-sheet">
      <div className="pay-sheet__what">
        <Picture src={what.img} alt="" ratio="1" width={56} eager />
        <div>
          <strong>{what.title}</strong>
          <p>{what.spec} × 1</p>
          {what.account && <p>充值账号 {what.account}</p>}
        </div>
      </div>
      {open && <Paying purchase={purchase} {...events} />}
    </Popup>
  );
}

function Paying({ purchase, ...events }: { purchase: Purchase } & PurchaseEvents) {
  const [picking, setPicking] = useState(false);
  const paying = usePurchase(purchase, events);
  const { purse, cards, picked } = paying;
  const quote = paying.quote.data;
  const given = quote ? shares(quote, cards) : [];

  return (
    <>
      <PayMethods
        title="支付方式"
        cards={{
          name: '福利卡',
          value: cardsText(picked.length, cards.length, purse.isPending),
          onPick: () => setPicking(true),
          disabled: !purse.data,
          label: '福利卡抵扣',
          given: given.map(({ card, gives }) => ({
            key: card.id,
            title: `${card.name}（尾号${card.num.slice(-4)}）`,
            amount: (gives / 100).toFixed(2),
          })),
        }}
        app={{
          name: '微信支付',
          checked: paying.app && !(quote && !needsApp(quote)),
          onChange: paying.pickApp,
          disabled: quote !== undefined && !needsApp(quote),
          value: quote && (needsApp(quote) ? { amount: quote.wxprice } : { word: '无需支付' }),
        }}
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
          <Button
            kind="primary"
            size="large"
            disabled={!quote || !purse.data || paying.quote.isPlaceholderData}
            loading={paying.busy}
            onClick={paying.pay}
          >
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
          <Link to={paths.payPassword()} onClick={events.onLeave}>
            忘记密码
          </Link>
        }
      />
    </>
  );
}

function cardsText(picked: number, all: number, pending: boolean): string {
  if (pending) return '加载中…';
  if (all === 0) return '暂无可用福利卡';
  return picked > 0 ? `已选 ${picked} 张` : `${all} 张可用`;
}
