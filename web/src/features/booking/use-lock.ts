import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { orderWaits } from '../../shop/invalidate';
import { paths } from '../../shop/paths';
import { toast } from '../../ui/toast';
import { useMounted } from '../../ui/use-mounted';
import { ApiError, codeOf, customerMessage } from '../../wire/api-error';
import { askLogin } from '../../wire/events';
import { newIdempotencyKey } from '../../wire/idempotency-key';
import { session } from '../../wire/session';
import type { SeatSource } from './seat-map';

const payDelay = 1000;

/** Why a lock did not come about, as far as the page does something about it. */
export type LockFailure = 'seats' | 'unpaid' | 'stopped' | 'other';

interface Lock {
  busy: boolean;
  /** Locks the seats and goes to the payment; says why not. */
  run: (ids: readonly string[]) => Promise<LockFailure | undefined>;
}

/** 锁座成功 and, after a second, the payment; else the message of the server. */
export function useLock(source: SeatSource): Lock {
  const navigate = useNavigate();
  const here = useMounted();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  // An attempt that may have reached the shop is repeated under its own key, so that it cannot hold the seats twice.
  const attempt = useRef<{ seats: string; key: string }>(undefined);
  useEffect(() => () => clearTimeout(leaving.current), []);

  async function run(ids: readonly string[]): Promise<LockFailure | undefined> {
    if (session.token() === '') {
      askLogin();
      return 'other';
    }
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    const seats = ids.join(' ');
    if (attempt.current?.seats !== seats) attempt.current = { seats, key: newIdempotencyKey() };
    try {
      const order = await source.lock(ids, attempt.current.key);
      toast('锁座成功');
      void orderWaits(queries);
      if (!here()) return undefined;
      leaving.current = setTimeout(
        () => navigate(paths.pay(order, { new: source.type === 2 ? '1' : undefined })),
        payDelay,
      );
      return undefined;
    } catch (failure) {
      if (!mayHaveArrived(failure)) attempt.current = undefined;
      running.current = false;
      setBusy(false);
      toast(customerMessage(failure));
      return reason(codeOf(failure));
    }
  }

  return { busy, run };
}

function mayHaveArrived(failure: unknown): boolean {
  return failure instanceof ApiError && failure.kind !== 'refused' && failure.kind !== 'login';
}

function reason(code: string | undefined): LockFailure {
  switch (code) {
    case 'seat_taken':
    case 'seat_not_in_map':
    case 'price_changed':
      return 'seats';
    case 'unpaid_order':
      return 'unpaid';
    case 'sale_stopped':
      return 'stopped';
    default:
      return 'other';
  }
}
