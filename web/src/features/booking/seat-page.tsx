import '../../ui/looks.css';
import './seat-page.css';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../shop/paths';
import { yuan } from '../../shop/price';
import { momentText, shanghaiSeconds } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { NavBar } from '../../ui/nav-bar';
import { tick } from '../../ui/tick';
import { toast } from '../../ui/toast';
import { codeOf, customerMessage } from '../../wire/api-error';
import { bestSeats } from './best-seats';
import { closeHall, seatsOf } from './hall';
import { HallMap, type HallMapHandle } from './hall-map';
import { useLockSeats } from './lock-seats';
import { NoticePopup } from './notice-popup';
import { Legend, PicksPanel, StoppedPanel, stoppedTexts } from './picks-panel';
import { type PriceOffer, PriceOfferPopup } from './price-offer';
import { findConflict, SeatConflictPopup } from './seat-conflict';
import type { SeatMap, SeatSource } from './seat-map';
import { partitionPicks, toggle, total } from './selection';
import { UnpaidDialog, type UnpaidOrderState } from './unpaid-order';
import { useSeatChoice } from './use-seat-choice';

interface SeatPageProps {
  map: SeatMap;
  source: SeatSource;
  unpaid: UnpaidOrderState;
  /** Fetches the seat map again. After a failure the last map stays. */
  refresh: () => Promise<{ error: unknown }>;
  /** The page of the film's showings at the cinema; undefined if the cinema is not known. */
  showings: string | undefined;
}

/** The page to select and lock seats, the same for both sources. */
export function SeatPage({ map, source, unpaid, refresh, showings }: SeatPageProps) {
  const { show, rules } = map;
  const navigate = useNavigate();
  const back = useBack();
  const hallMap = useRef<HallMapHandle>(null);
  const choice = useSeatChoice(map.hall);
  /** The index of the highlighted price area. */
  const [area, setArea] = useState<number>();
  const [noticeOpen, setNoticeOpen] = useState(false);
  /**
   * Why the shop has rejected a lock although the seats are free in the map: no seats of the showing are on sale any
   * more, or the time left to pay would be too short.
   */
  const [rejection, setRejection] = useState<'stopped' | 'too-late'>();
  /** The shop's new price for the selected seats, if it differs from the one that was shown. */
  const [offer, setOffer] = useState<PriceOffer>();
  const lock = useLockSeats(source);
  const stoppedPanel = useRef<HTMLElement>(null);
  // After a rejected lock the popup is closed and the button that opened it is gone, so the focus would be lost.
  useEffect(() => {
    if (rejection) stoppedPanel.current?.focus();
  }, [rejection]);

  // While a lock is in progress it may still succeed, so a refreshed map does not stop the sale.
  const stopped = lock.busy ? undefined : map.stopped ? 'stopped' : rejection;
  const ended = stopped === 'stopped';
  const hall = useMemo(() => (ended ? closeHall(map.hall) : map.hall), [map.hall, ended]);
  // A conflict is shown as soon as a chosen seat is sold in a refreshed map, but not during a lock, because the seats
  // that it has just locked may look sold.
  const conflict = lock.busy || stopped ? undefined : findConflict(hall, choice.rendered, rules);
  // After `too-late` the seats that are still free stay selected, so that the customer can try again.
  const open = stopped ? partitionPicks(hall, choice.rendered).kept : choice.rendered;
  const picked = conflict ? conflict.kept : open;
  const when = momentText(shanghaiSeconds(show.starts));

  function toggleSeat(id: string) {
    if (lock.busy || ended) return;
    if (stopped) {
      toast(stoppedTexts[stopped]);
      return;
    }
    const next = toggle(hall, partitionPicks(hall, choice.latest()).kept, id, rules);
    if ('rejected' in next) toast(next.rejected);
    else pick(next.picked);
  }

  /** Chooses the seats and marks them in the map at once, before the rest of the page is rendered. */
  function pick(ids: readonly string[]) {
    tick();
    choice.choose(ids);
    hallMap.current?.mark(ids);
  }

  function pickAndReveal(ids: readonly string[]) {
    pick(ids);
    hallMap.current?.reveal(ids);
  }

  /**
   * Selects the seats chosen in SeatConflictPopup. The notice with the terms of sale is closed, because the customer
   * has to accept it for the new seats.
   */
  function pickReplacement(ids: readonly string[]) {
    setNoticeOpen(false);
    setOffer(undefined);
    pickAndReveal(ids);
  }

  function pickBest(people: number) {
    const found = bestSeats(hall, people, rules);
    if (found.length > 0) pickAndReveal(found);
    else toast('没有足够的空座');
  }

  function submit() {
    choice.settle();
    setNoticeOpen(true);
  }

  /** @param accepted The total in fen that the customer has accepted after the price has changed. */
  async function agree(accepted?: number) {
    const before = accepted ?? total(hall, picked);
    const failure = await lock.run(picked, accepted);
    if (failure === undefined) {
      choice.end();
      return;
    }
    setNoticeOpen(false);
    setOffer(undefined);
    switch (failure.reason) {
      case 'seats':
        await refresh();
        break;
      case 'price':
        setOffer({ message: failure.message, before, total: failure.total });
        await refresh();
        break;
      case 'unpaid':
        await unpaid.refetch();
        break;
      case 'stopped':
      case 'too-late':
        setRejection(failure.reason);
    }
  }

  /**
   * Loads a new map and makes the seats selectable again. After `too-late` the next lock can succeed, because the
   * source may then hold the seats for longer.
   */
  async function retrySale() {
    const { error } = await refresh();
    if (error) {
      // The page already says that the sale has stopped.
      if (codeOf(error) !== 'sale_stopped') toast(customerMessage(error));
      return;
    }
    setRejection(undefined);
    hallMap.current?.focus();
  }

  async function cancelUnpaid() {
    await unpaid.cancel();
    await refresh();
  }

  return (
    <div className="mq-stack mq-fill">
      <NavBar title={show.film} onBack={back} />
      <p className="seats__show mq-container mq-note">
        <span className="mq-flex mq-gap-8 mq-rows-0">
          <strong className="mq-ink mq-strong">{when}</strong>
          <span className="seats__hall mq-ellipsis mq-fixed mq-push">{show.hallName}</span>
        </span>
        <span className="mq-flex mq-gap-8 mq-rows-0">
          <span className="mq-ellipsis">{show.cinema}</span>
          <span className="seats__hall mq-ellipsis mq-fixed mq-push">
            {[show.language, show.version].filter(Boolean).join(' ')}
          </span>
        </span>
      </p>
      <HallMap
        ref={hallMap}
        hall={hall}
        hallName={show.hallName}
        picked={picked}
        offered={conflict?.offer}
        area={ended ? undefined : area}
        onToggle={toggleSeat}
      />
      <div className="seats__panel mq-relative mq-sheet mq-container">
        {/* This element is always rendered, because screen readers announce only a change inside an existing live
            region. */}
        <p className="picks__stopped mq-warn mq-medium" role="status">
          {stopped && stoppedTexts[stopped]}
        </p>
        {!ended && <Legend hall={hall} area={area} onArea={setArea} />}
        {stopped ? (
          <StoppedPanel
            ref={stoppedPanel}
            reason={stopped}
            showings={showings}
            onRetry={map.stopped ? undefined : retrySale}
          />
        ) : (
          <PicksPanel
            hall={hall}
            picked={picked}
            onRemove={toggleSeat}
            onBest={pickBest}
            onSubmit={submit}
            busy={lock.busy}
          />
        )}
      </div>
      <NoticePopup
        open={noticeOpen && conflict === undefined && !stopped}
        onClose={() => setNoticeOpen(false)}
        onAgree={() => agree()}
        busy={lock.busy}
        show={show}
        when={when}
        seats={seatsOf(hall, picked).map((seat) => seat.name)}
        total={yuan(total(hall, picked))}
      />
      <PriceOfferPopup
        offer={conflict || stopped ? undefined : offer}
        onAccept={agree}
        onClose={() => setOffer(undefined)}
        busy={lock.busy}
      />
      <SeatConflictPopup hall={hall} conflict={conflict} onChoose={pickReplacement} />
      <UnpaidDialog
        open={unpaid.asking}
        order={unpaid.order?.shown}
        onClose={unpaid.dismiss}
        onExpire={unpaid.refetch}
        onPay={() =>
          unpaid.order &&
          navigate(paths.pay(unpaid.order.id, { new: unpaid.order.type === 2 ? '1' : undefined }), { replace: true })
        }
        onCancel={cancelUnpaid}
      />
    </div>
  );
}
