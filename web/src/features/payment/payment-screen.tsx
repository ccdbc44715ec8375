import './payment.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { useIdentity } from '../../session/use-identity';
import { paths } from '../../shop/paths';
import { canPay, isCancelled, isExpired } from '../../shop/ticket-order';
import { useBack } from '../../shop/use-back';
import { ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { PageSkeleton } from '../../ui/page-skeleton';
import { Bone } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { useLeave } from '../../ui/use-leave';
import { codeOf, customerMessage } from '../../wire/api-error';
import type { PaymentPage } from '../../wire/generated/PaymentPage';
import { Checkout } from './checkout';
import { payableQuery } from './get-order';

/** Why an order cannot be paid; undefined if it can be. */
type EndReason = 'gone' | 'expired' | 'paid' | 'checking' | undefined;

function endReasonOf(payable: PaymentPage | undefined, gone: boolean): EndReason {
  if (gone) return 'gone';
  if (!payable) return undefined;
  const { order, time } = payable;
  if (payable.checking) return 'checking';
  // From expiretime on, every payment is rejected, even before the shop has marked the order as expired.
  if (canPay(order)) return order.expiretime <= time ? 'expired' : undefined;
  if (isExpired(order)) return 'expired';
  return isCancelled(order) ? 'gone' : 'paid';
}

const messages = { gone: '订单已失效', expired: '订单过期', paid: undefined, checking: undefined };

/** The page where an order is paid. */
export default function PaymentScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [query] = useSearchParams();
  const oid = query.get('order') ?? '';
  const backend = query.get('new') === '1' ? 'new' : 'legacy';
  const [identityBound, setIdentityBound] = useState(false);
  const identifying = useIdentity(
    () => setIdentityBound(true),
    (failure) => toast(customerMessage(failure)),
  );
  // The answer contains the identity with which the customer pays, but only after OAuth has completed.
  const payable = useQuery({ ...payableQuery(oid, backend), enabled: !identifying });

  // The state of the order redirects from this page only when the page is opened, or shown again after the customer was
  // elsewhere. The checkout handles changes that it finds itself.
  const [arrived, setArrived] = useState<PaymentPage>();
  if (payable.data && !arrived && !payable.isFetching) setArrived(payable.data);
  const endReason = endReasonOf(arrived, codeOf(payable.error) === 'order_not_found');
  useLeave(endReason && messages[endReason], toast, () =>
    endReason === 'expired' ? navigate(paths.home(), { replace: true }) : back(),
  );

  // A page that the browser restores from its back/forward cache has an old state, so load the order again.
  const { refetch } = payable;
  const reload = useCallback(async () => {
    const { data } = await refetch();
    if (data) setArrived(data);
  }, [refetch]);
  useEffect(() => {
    const shown = (event: PageTransitionEvent) => event.persisted && void reload();
    window.addEventListener('pageshow', shown);
    return () => window.removeEventListener('pageshow', shown);
  }, [reload]);

  const ready = payable.data && arrived && !endReason && !identifying;
  // The page of the order shows the result of the payment.
  if (endReason === 'paid' || endReason === 'checking') return <Navigate to={paths.order(oid)} replace />;
  return (
    <>
      <NavBar title="确认支付" onBack={back} />
      {ready && payable.data ? (
        <Checkout payable={payable.data} backend={backend} resumed={identityBound} onReturn={reload} />
      ) : payable.isError && !payable.data && !endReason ? (
        <ErrorState message={customerMessage(payable.error) ?? '请先登录'} onRetry={() => payable.refetch()} />
      ) : (
        <PageSkeleton head={<Bone height={28} />} cards={[7, 5, 5]} bar />
      )}
    </>
  );
}
