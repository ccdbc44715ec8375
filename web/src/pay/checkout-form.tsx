import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { LimitedNotice } from '../shop/limited-notice';
import { paths } from '../shop/paths';
import { Button } from '../ui/button';
import { Price } from '../ui/price';
import { useAccess } from '../wire/session';
import { CardPicker } from './card-picker';
import { OpenInApp } from './open-in-app';
import { PasswordSheet } from './password-sheet';
import { PayMethods } from './pay-methods';
import { PaymentRemark } from './remark';
import type { useCheckout } from './use-checkout';

interface CheckoutFormProps {
  checkout: ReturnType<typeof useCheckout>;
  /**
   * The time left to pay an order. The sheet that opens the messaging app shows it, because it covers the time on the
   * page.
   */
  clock?: ReactNode;
  /** Called when the customer leaves for the page that sets a password. */
  onLeave?: () => void;
  /** The sum and the pay button. */
  children: ReactNode;
}

/** The form of a checkout: payment methods, the remark on the last attempt, and the sheets for cards and password. */
export function CheckoutForm({ checkout, clock, onLeave, children }: CheckoutFormProps) {
  const [picking, setPicking] = useState(false);
  const limited = useAccess() === 'limited';
  return (
    <>
      <PayMethods {...checkout.methods} onPickCards={() => setPicking(true)} />
      {limited && <LimitedNotice>账号归属待确认，暂不能使用福利卡付款。</LimitedNotice>}
      <PaymentRemark {...checkout.lastAttempt} />
      {children}
      <OpenInApp {...checkout.inApp} clock={clock} />
      <CardPicker {...checkout.picker} open={picking} onClose={() => setPicking(false)} />
      <PasswordSheet
        {...checkout.password}
        sum={
          <>
            福利卡支付
            <Price amount={checkout.quote.data?.dkprice ?? ''} unit="points" size="large" />
          </>
        }
        forgot={(look) => (
          <Link to={paths.payPassword()} onClick={onLeave} className={look}>
            忘记密码
          </Link>
        )}
        otherWay={
          <Button kind="primary" size="large" block onClick={checkout.payWithoutCards}>
            改用微信支付 ¥{checkout.picker.due}
          </Button>
        }
      />
    </>
  );
}
