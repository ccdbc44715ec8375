import { type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as v from 'valibot';
import { useLocalStorage } from '../session/use-own-storage';
import { ordersChanged, unpaidOrdersChanged } from '../shop/invalidate';
import { paths } from '../shop/paths';
import { afterPayment } from '../shop/use-back';
import { toast } from '../ui/toast';
import { customerMessage } from '../wire/api-error';
import type { Card } from '../wire/generated/Card';
import type { Quote } from '../wire/generated/Quote';
import { appChannel, payButtonText } from './app-channel';
import { Choice, cardsSwitchedOn, chosenCards } from './card-choice';
import { type PayFailure, payFailure } from './pay-failure';
import { type Outcome, queryLostOutcome } from './purchase';
import { needsApp } from './quote';
import { type Payment, usePayment } from './use-payment';

interface Checkout extends Pick<Payment, 'purchase' | 'payer' | 'resumed' | 'onResumed' | 'onLeave' | 'onOrder'> {
  /** The query that answers with the cards, and the cards once it has. */
  cardsQuery: UseQueryResult<unknown>;
  cards: readonly Card[] | undefined;
  /** The query for the quote if these cards are used. */
  quoteOptions: (cards: readonly string[]) => UseQueryOptions<Quote, Error, Quote, string[]>;
  /** The sum to pay in yuan. */
  due: string;
  /** What is bought. A choice of cards belongs to it, and is the preference for the next purchase. */
  purchaseKey: string;
  /** Whether the page is still shown. A late outcome is told, but does not navigate away from another page. */
  isMounted: () => boolean;
  /** The purchase has ended: what is bought next is another one. */
  onEnd: () => void;
  /** Handles a refusal; returns false where it is only to be told. */
  onRefused: (failure: unknown, kind: PayFailure) => boolean;
}

/** The checkout of tickets or goods: which cards and whether the messaging app pay, the quote, the payment. */
export function useCheckout({ cardsQuery, cards, quoteOptions, due, purchaseKey, isMounted, ...checkout }: Checkout) {
  const { purchase, payer } = checkout;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [last, keep] = useLocalStorage<Choice | undefined>('pay choice', v.optional(Choice), undefined);
  // A card that was spent or unbound in the meantime is neither offered nor quoted.
  const chosen = chosenCards(cards ?? [], due, purchaseKey, last);
  // Inside the messaging app, which can pay alone, a buyer without a payment password is not sent to set one.
  const suggests = payer?.has_password || appChannel() !== 'bridge';
  const picked = chosen.suggested && !suggests ? [] : chosen.ids;
  const app = last?.app ?? true;
  const options = quoteOptions(picked);
  const quote = useQuery({ ...options, enabled: cards !== undefined || cardsQuery.isError });
  const payment = usePayment({
    ...checkout,
    quote: quote.isPlaceholderData ? undefined : quote.data,
    app,
    onEnd,
    onFailure,
  });

  function onEnd(outcome: Outcome) {
    if (outcome.kind === 'unpaid') return void unpaidOrdersChanged(queries);
    void ordersChanged(queries);
    leave();
  }

  function leave() {
    // The same goods may be bought again, with cards that have fewer points by then.
    if (last) keep({ ...last, purchase: '' });
    checkout.onEnd();
    if (isMounted()) navigate(paths.orders(0), { replace: true, state: afterPayment });
  }

  function refused(failure: unknown, kind: PayFailure) {
    // While the outcome is unknown, the order may hold the cards' points: the choice of cards stays as it was.
    if (kind !== 'unknown') {
      void cardsQuery.refetch();
      void quote.refetch();
    }
    if (!checkout.onRefused(failure, kind)) payment.refuse(failure);
  }

  /** Asks what became of the order when the answer to its payment was lost or contradicts the page. */
  async function findOut(failure: unknown, kind: PayFailure) {
    if (purchase.orderNo === undefined) {
      if (kind === 'unknown') return refused(failure, kind);
      // The purchase has become an order that has moved on. The list of orders shows its state.
      toast(customerMessage(failure));
      return leave();
    }
    try {
      const outcome = await queryLostOutcome(purchase, purchase.orderNo);
      // The shop may still be taking the payment of an order that it reports as unpaid.
      if (kind === 'unknown' && outcome.kind === 'unpaid') refused(failure, kind);
      else payment.end(outcome);
    } catch {
      refused(failure, payFailure(failure));
    }
  }

  function onFailure(failure: unknown, kind: PayFailure) {
    return kind === 'unknown' || kind === 'moved' ? findOut(failure, kind) : refused(failure, kind);
  }

  function switchCards(on: boolean) {
    if (!on) return keep({ purchase: purchaseKey, cards: [], app, switchedOff: [...picked] });
    keep({ purchase: purchaseKey, cards: [...cardsSwitchedOn(cards ?? [], due, purchaseKey, last)], app });
  }

  const opensInApp = app && appChannel() === 'none' && quote.data !== undefined && needsApp(quote.data);
  const [inAppOpen, setInAppOpen] = useState(false);

  /** Leaves the cards out and pays all with the messaging app, which a browser has to open first. */
  function payWithoutCards() {
    keep({ purchase: purchaseKey, cards: [], app: true, switchedOff: [...picked], locked: true });
    payment.password.close?.();
    if (appChannel() === 'none') setInAppOpen(true);
  }

  /** Asks for the outcome of a payment made elsewhere. What is known of an unpaid order stands on the page. */
  async function queryPaidInApp() {
    await payment.queryOutcome?.();
    setInAppOpen(false);
  }

  return {
    cardsQuery,
    cards: cards ?? [],
    due,
    quote,
    picked,
    /** Whether the app has chosen the cards. */
    suggested: chosen.suggested && picked.length > 0,
    app,
    /** Whether the buyer has to set a payment password before cards can pay. */
    lacksPassword: payer !== undefined && !payer.has_password,
    switchCards,
    pickCards: (ids: string[]) => keep({ purchase: purchaseKey, cards: ids, app }),
    pickApp(use: boolean) {
      const switchedOff = last?.purchase === purchaseKey ? last.switchedOff : undefined;
      keep({ purchase: purchaseKey, cards: [...picked], app: use, switchedOff });
    },
    ...payment,
    payWithoutCards,
    payText: payButtonText(opensInApp),
    /** The sheet that leads into the messaging app. */
    inApp: {
      open: inAppOpen,
      onClose: () => setInAppOpen(false),
      ordered: purchase.orderNo !== undefined,
      onPaid: payment.queryOutcome && queryPaidInApp,
    },
    pay: () => {
      // What is paid with is the choice, also if the page is loaded again before the outcome is known.
      if (picked.length > 0) keep({ purchase: purchaseKey, cards: [...picked], app });
      return opensInApp ? setInAppOpen(true) : payment.pay();
    },
  };
}
