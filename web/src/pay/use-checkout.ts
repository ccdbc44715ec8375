import { type UseQueryOptions, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import * as v from 'valibot';
import { isInApp } from '../session/in-app';
import { useSessionStorage } from '../session/use-session-storage';
import type { Card } from '../shop/card';
import { ordersChanged, orderWaits } from '../shop/invalidate';
import { paths } from '../shop/paths';
import { toast } from '../ui/toast';
import { customerMessage } from '../wire/api-error';
import { type PayFailure, payFailure } from './pay-failure';
import { type Outcome, queryLostOutcome } from './purchase';
import type { Quote } from './quote';
import { type Payment, usePayment } from './use-payment';

const Choice = v.object({ cards: v.array(v.string()), app: v.boolean() });

interface Checkout extends Pick<Payment, 'purchase' | 'payer' | 'resumed' | 'onResumed' | 'onLeave' | 'onOrder'> {
  /** The query that answers with the cards, and the cards once it has. */
  cardsQuery: UseQueryResult<unknown>;
  cards: readonly Card[] | undefined;
  /** The query for the quote if these cards are used. */
  quoteOptions: (cards: readonly string[]) => UseQueryOptions<Quote, Error, Quote, string[]>;
  /** Where the choice of cards is kept while another page is open (see useSessionStorage). */
  choiceKey: string;
  /** Whether the page is still shown. A late outcome is told, but does not navigate away from another page. */
  isMounted: () => boolean;
  /** The purchase has ended: what is bought next is another one. */
  onEnd: () => void;
  /** Handles a refusal; returns false where it is only to be told. */
  onRefused: (failure: unknown, kind: PayFailure) => boolean;
}

/** The checkout of an order of tickets or goods: which cards and whether the messaging app pay, the quote, the payment. */
export function useCheckout({ cardsQuery, cards, quoteOptions, choiceKey, isMounted, ...checkout }: Checkout) {
  const { purchase } = checkout;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [choice, choose] = useSessionStorage(choiceKey, Choice, { cards: [], app: isInApp() });
  // A card that was spent or unbound in the meantime is neither offered nor quoted.
  const picked = cards ? choice.cards.filter((id) => cards.some((card) => card.id === id)) : choice.cards;
  const quote = useQuery(quoteOptions(picked));
  const payment = usePayment({
    ...checkout,
    quote: quote.isPlaceholderData ? undefined : quote.data,
    app: choice.app,
    onEnd,
    onFailure,
  });

  function onEnd(outcome: Outcome) {
    if (outcome.kind === 'unpaid') return void orderWaits(queries);
    void ordersChanged(queries);
    leave();
  }

  function leave() {
    checkout.onEnd();
    if (isMounted()) navigate(paths.orders(0), { replace: true });
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
      payment.end(await queryLostOutcome(purchase, purchase.orderNo));
    } catch {
      refused(failure, payFailure(failure));
    }
  }

  function onFailure(failure: unknown, kind: PayFailure) {
    return kind === 'unknown' || kind === 'moved' ? findOut(failure, kind) : refused(failure, kind);
  }

  return {
    cardsQuery,
    cards: cards ?? [],
    quote,
    picked,
    app: choice.app,
    pickCards: (ids: string[]) => choose({ ...choice, cards: ids }),
    pickApp: (app: boolean) => choose({ ...choice, app }),
    ...payment,
  };
}
