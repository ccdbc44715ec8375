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
import type { PayFailure } from './pay-failure';
import { type Outcome, queryLostOutcome } from './purchase';
import { needsApp } from './quote';
import { type Finding, type Payment, usePayment } from './use-payment';

interface Checkout extends Pick<Payment, 'purchase' | 'payer' | 'resumed' | 'onResumed' | 'onLeave' | 'onOrder'> {
  /** The query for the cards, and its result. */
  cardsQuery: UseQueryResult<unknown>;
  cards: readonly Card[] | undefined;
  /**
   * Returns the query for the quote (the amounts that the cards and the messaging app pay) if the cards with these ids
   * are used.
   */
  quoteOptions: (cards: readonly string[]) => UseQueryOptions<Quote, Error, Quote, string[]>;
  /** The sum to pay in yuan. */
  due: string;
  /**
   * Identifies the purchase. A choice of cards is stored with this key. For a purchase with another key, the stored
   * choice only decides which cards are suggested first.
   */
  purchaseKey: string;
  /** Whether the page is still shown. A late outcome is reported, but does not navigate away from another page. */
  isOnPage: () => boolean;
  /** Called when the purchase has ended, so that the next payment belongs to another purchase. */
  onEnd: () => void;
  /** Handles a rejected payment. Returns false if it has not shown the error, which is then shown as usual. */
  onRejected: (failure: unknown, kind: PayFailure) => boolean;
}

/**
 * The checkout of tickets or goods: the choice of cards and messaging app, the quote, the payment. Most members of the
 * result are the props of a component that CheckoutForm renders.
 */
export function useCheckout({ cardsQuery, cards, quoteOptions, due, purchaseKey, isOnPage, ...checkout }: Checkout) {
  const { purchase, payer } = checkout;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [last, keep] = useLocalStorage<Choice | undefined>('pay choice', v.optional(Choice), undefined);
  // A chosen card that can no longer pay, because it was spent or unbound, is left out.
  const chosen = chosenCards(cards ?? [], due, purchaseKey, last);
  // Inside the messaging app, no cards are suggested to a buyer without a payment password. The messaging app can pay
  // the entire sum, so the buyer is not made to set a password.
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
    // Remove the key of the purchase from the stored choice. If the same goods are bought again, the key is the same,
    // but cards must be suggested again, because they have fewer points then.
    if (last) keep({ ...last, purchase: '' });
    checkout.onEnd();
    if (isOnPage()) navigate(paths.orders(0), { replace: true, state: afterPayment });
  }

  function handleRejection(failure: unknown, kind: PayFailure): Finding {
    // While the outcome is unknown, the order may have reserved points of the cards. Cards and quote are not loaded
    // again then: without the reserved points, the page would choose other cards.
    if (kind !== 'unknown') {
      void cardsQuery.refetch();
      void quote.refetch();
    }
    return checkout.onRejected(failure, kind) ? undefined : { kind: 'failed', failure };
  }

  /**
   * Queries the order after the answer to its payment was lost, or after the shop rejected the payment because the
   * order is in another state than the page shows.
   */
  async function findOut(failure: unknown, kind: PayFailure): Promise<Finding> {
    if (purchase.orderNo === undefined) {
      if (kind === 'unknown') return handleRejection(failure, kind);
      // An earlier call of this purchase has created an order, and that order can no longer be paid. The list of orders
      // shows its state.
      toast(customerMessage(failure));
      leave();
      return undefined;
    }
    try {
      const outcome = await queryLostOutcome(purchase, purchase.orderNo);
      // If the order is still unpaid after an unknown outcome, show the failure: the shop may still be processing the
      // payment.
      return kind === 'unknown' && outcome.kind === 'unpaid' ? handleRejection(failure, kind) : outcome;
    } catch {
      return handleRejection(failure, kind);
    }
  }

  function onFailure(failure: unknown, kind: PayFailure) {
    return kind === 'unknown' || kind === 'moved' ? findOut(failure, kind) : handleRejection(failure, kind);
  }

  function switchCards(on: boolean) {
    if (!on) return keep({ purchase: purchaseKey, cards: [], app, switchedOff: [...picked] });
    keep({ purchase: purchaseKey, cards: [...cardsSwitchedOn(cards ?? [], due, purchaseKey, last)], app });
  }

  const opensInApp = app && appChannel() === 'none' && quote.data !== undefined && needsApp(quote.data);
  const [inAppOpen, setInAppOpen] = useState(false);

  /**
   * Switches to the messaging app for the entire sum and closes the password sheet; the customer then presses the pay
   * button. A browser that cannot pay shows how to open the page in the messaging app.
   */
  function payWithoutCards() {
    keep({ purchase: purchaseKey, cards: [], app: true, switchedOff: [...picked], locked: true });
    payment.password.close?.();
    if (appChannel() === 'none') setInAppOpen(true);
  }

  /**
   * Queries the outcome of a payment that the customer says was made in the messaging app. If the order is still
   * unpaid, the page shows a remark.
   */
  async function queryPaidInApp() {
    await payment.lastAttempt.onQuery?.();
    setInAppOpen(false);
  }

  function pickApp(use: boolean) {
    const switchedOff = last?.purchase === purchaseKey ? last.switchedOff : undefined;
    keep({ purchase: purchaseKey, cards: [...picked], app: use, switchedOff });
  }

  function pay() {
    // Store the cards as the choice, in case the page is reloaded before the outcome is known.
    if (picked.length > 0) keep({ purchase: purchaseKey, cards: [...picked], app });
    return opensInApp ? setInAppOpen(true) : payment.pay();
  }

  return {
    quote,
    app,
    /** Whether a payment or a query of its outcome is running. */
    busy: payment.busy,
    payButton: { text: payButtonText(opensInApp), disabled: !payment.ready, loading: payment.busy, onSubmit: pay },
    methods: {
      quote: quote.data,
      cards: cards ?? [],
      picked,
      suggested: chosen.suggested && picked.length > 0,
      pending: cardsQuery.isPending,
      disabled: !cardsQuery.data || payment.busy,
      lacksPassword: payer !== undefined && !payer.has_password,
      app,
      onSwitchCards: switchCards,
      onPickApp: pickApp,
      onRetry: cardsQuery.isError && !cardsQuery.data ? () => cardsQuery.refetch() : undefined,
    },
    picker: {
      cards: cards ?? [],
      due,
      picked,
      onPick: (ids: string[]) => keep({ purchase: purchaseKey, cards: ids, app }),
    },
    lastAttempt: payment.lastAttempt,
    password: payment.password,
    payWithoutCards,
    /** The sheet that shows how to open this page in the messaging app (OpenInApp). */
    inApp: {
      open: inAppOpen,
      onClose: () => setInAppOpen(false),
      ordered: purchase.orderNo !== undefined,
      onPaid: payment.lastAttempt.onQuery && queryPaidInApp,
    },
  };
}
