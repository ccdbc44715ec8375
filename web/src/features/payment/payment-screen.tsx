import './payment.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { codeOf, customerMessage } from '../../api/api-error';
import { paths } from '../../api/paths';
import { canPay, type TicketOrder } from '../../api/ticket-order';
import { useBack } from '../../api/use-back';
import { useIdentity } from '../../api/use-identity';
import { ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { Bone, Skeleton } from '../../ui/skeleton';
import { toast } from '../../ui/toast';
import { Checkout } from './checkout';
import { payableQuery } from './get-order';

const redirectDelay = 1000;

/** Where an order that cannot be paid leads, or nothing. */
type Way = { words: string; to: 'home' | 'back' } | { to: 'order' } | undefined;

function wayOut(order: TicketOrder | undefined, gone: boolean): Way {
  if (gone) return { words: '订单已失效', to: 'back' };
  if (!order || canPay(order)) return undefined;
  switch (order.orderstatus) {
    case 'E':
    case 8:
      return { words: '订单过期', to: 'home' };
    case 'C':
    case 2:
      return { words: '订单已失效', to: 'back' };
    default:
      return { to: 'order' };
  }
}

/** The page where an order is paid. */
export default function PaymentScreen() {
  const navigate = useNavigate();
  const back = useBack();
  const [query] = useSearchParams();
  const oid = query.get('order') ?? '';
  const payable = useQuery(payableQuery(oid));
  const [named, setNamed] = useState(false);
  const identifying = useIdentity(
    () => payable.refetch().then(() => setNamed(true)),
    (failure) => toast(customerMessage(failure)),
  );

  // Only the state one arrives with leads away by itself; what happens afterwards is the checkout's to tell.
  const [arrived, setArrived] = useState<TicketOrder>();
  if (payable.data && !arrived && !payable.isFetching) setArrived(payable.data.order);
  const way = wayOut(arrived, codeOf(payable.error) === 'order_not_found');
  const words = way && 'words' in way ? way.words : undefined;

  const leave = useRef<() => void>(undefined);
  useEffect(() => {
    leave.current = () => {
      if (way?.to === 'home') navigate(paths.home(), { replace: true });
      else if (way?.to === 'order') navigate(paths.order(oid), { replace: true });
      else back();
    };
  });
  useEffect(() => {
    if (!way?.to) return;
    toast(words);
    const timer = setTimeout(() => leave.current?.(), words ? redirectDelay : 0);
    return () => clearTimeout(timer);
  }, [way?.to, words]);

  // A page that the browser kept whole while another was shown knows an old state.
  const { refetch } = payable;
  useEffect(() => {
    const look = (event: PageTransitionEvent) => event.persisted && refetch();
    window.addEventListener('pageshow', look);
    return () => window.removeEventListener('pageshow', look);
  }, [refetch]);

  const ready = payable.data && arrived && !way && !identifying;
  return (
    <>
      <NavBar title="确认支付" onBack={back} />
      {ready && payable.data ? (
        <Checkout payable={payable.data} resumed={named} />
      ) : payable.isError && !payable.data && !way ? (
        <ErrorState message={customerMessage(payable.error) ?? '请先登录'} onRetry={() => payable.refetch()} />
      ) : (
        <Skeleton className="pay">
          <Bone height={84} radius={12} />
          <Bone height={148} radius={12} />
          <Bone height={188} radius={12} />
        </Skeleton>
      )}
    </>
  );
}
