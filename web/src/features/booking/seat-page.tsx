import '../../ui/looks.css';
import './seat-page.css';
import { memo, startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import * as v from 'valibot';
import { useLoginReturn } from '../../session/use-login-return';
import { paths } from '../../shop/paths';
import { yuan } from '../../shop/price';
import { momentText, shanghaiSeconds } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { Button } from '../../ui/button';
import { Empty, ErrorState } from '../../ui/empty';
import { NavBar } from '../../ui/nav-bar';
import { Bone, Skeleton } from '../../ui/skeleton';
import { tick } from '../../ui/tick';
import { toast } from '../../ui/toast';
import { codeOf, customerMessage } from '../../wire/api-error';
import { bestSeats } from './best-seats';
import { closeHall, seatsOf } from './hall';
import { HallMap, type HallMapHandle, HallScreen } from './hall-map';
import { useKeptSeats } from './kept-seats';
import { useLockSeats } from './lock-seats';
import { NoticePopup } from './notice-popup';
import { Legend, PicksPanel, StoppedPanel, stoppedTexts } from './picks-panel';
import { type PriceOffer, PriceOfferPopup } from './price-offer';
import { findConflict, SeatConflictPopup } from './seat-conflict';
import type { SeatMap, SeatSource } from './seat-map';
import { partitionPicks, toggle, total } from './selection';
import { UnpaidDialog, type UnpaidOrderState } from './unpaid-order';

interface SeatPageProps {
  map: SeatMap;
  source: SeatSource;
  unpaid: UnpaidOrderState;
  /** Fetches the seat map again. After a failure the last map stays. */
  refresh: () => Promise<{ error: unknown }>;
  /** The page of the film's showings at the cinema; undefined if the address does not contain the cinema. */
  showings: string | undefined;
}

const Picks = v.array(v.string());

/** The page to select and lock seats, the same for both sources. */
export function SeatPage({ map, source, unpaid, refresh, showings }: SeatPageProps) {
  const { show, rules } = map;
  const navigate = useNavigate();
  const back = useBack();
  const hallMap = useRef<HallMapHandle>(null);
  const address = useLocation().search;
  const [before, rememberPicks] = useLoginReturn(`seats ${address}`, Picks);
  const [kept, keepPicks] = useKeptSeats(address);
  // Seats that were chosen before a login, or before the page was left, are chosen again. If one has been sold since,
  // it is reported as a conflict.
  const [chosen, setChosen] = useState<readonly string[]>(() => (before ?? kept).filter((id) => map.hall.byId.has(id)));
  // Keep seats that were chosen before a login for a reload, too: the login has removed them from the storage.
  useEffect(() => {
    if (before) keepPicks(before);
  }, [before, keepPicks]);
  /** The selection after the last tap. The state follows in a transition, so a second tap must not start from it. */
  const latest = useRef(chosen);
  /** The index of the highlighted price area. */
  const [area, setArea] = useState<number>();
  const [noticeOpen, setNoticeOpen] = useState(false);
  /** Why the shop did not lock seats that are free in the map. */
  const [rejection, setRejection] = useState<'stopped' | 'too-late'>();
  /** The shop's new price for the selected seats, if it differs from the one that was shown. */
  const [offer, setOffer] = useState<PriceOffer>();
  const lock = useLockSeats(source);
  const stoppedPanel = useRef<HTMLElement>(null);
  // The dialog is closed and the button that opened it is gone, so the focus would be lost.
  useEffect(() => {
    if (rejection) stoppedPanel.current?.focus();
  }, [rejection]);

  // While a lock is in progress it may still succeed, so a refreshed map does not stop the sale.
  const stopped = lock.busy ? undefined : map.stopped ? 'stopped' : rejection;
  const ended = stopped === 'stopped';
  const hall = useMemo(() => (ended ? closeHall(map.hall) : map.hall), [map.hall, ended]);
  // A conflict is shown as soon as a refreshed map has it. During a lock, the locked seats may look sold.
  const conflict = lock.busy || stopped ? undefined : findConflict(hall, chosen, rules);
  // The seats stay selected while the sale is stopped for the moment, so that they can be tried again.
  const open = stopped ? partitionPicks(hall, chosen).kept : chosen;
  const picked = conflict ? conflict.kept : open;
  const when = momentText(shanghaiSeconds(show.starts));

  function toggleSeat(id: string) {
    if (lock.busy || ended) return;
    if (stopped) {
      toast(stoppedTexts[stopped]);
      return;
    }
    const choice = toggle(hall, partitionPicks(hall, latest.current).kept, id, rules);
    if ('rejected' in choice) {
      toast(choice.rejected);
      return;
    }
    pick(choice.picked);
  }

  /**
   * Marks the seats at once, and renders the rest of the page in a transition because rendering is slow on some phones.
   */
  function pick(ids: readonly string[]) {
    tick();
    latest.current = ids;
    rememberPicks([...ids]);
    keepPicks(ids);
    hallMap.current?.mark(ids);
    startTransition(() => setChosen(ids));
  }

  function pickAndReveal(ids: readonly string[]) {
    pick(ids);
    hallMap.current?.reveal(ids);
  }

  /** Selects the replacement. The notice is closed, because it has to be accepted for the new seats. */
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
    setChosen(latest.current);
    setNoticeOpen(true);
  }

  /** @param accepted The total in cents that the customer has accepted after the price has changed. */
  async function agree(accepted?: number) {
    const before = accepted ?? total(hall, picked);
    const failure = await lock.run(picked, accepted);
    if (failure === undefined) {
      keepPicks([]);
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
   * Opens the hall again with a new map. A source that now holds seats for less time than a payment takes may hold them
   * for longer at the next try.
   */
  async function retrySale() {
    const { error } = await refresh();
    if (error) {
      // The panel already says that the sale has stopped.
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
        {/* Always rendered: screen readers announce only a change inside an existing live region. */}
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

/**
 * The placeholder of the page while the seat map loads. It is memoised so that the answer about unpaid orders does not
 * render it again.
 */
export const SeatPageLoading = memo(function SeatPageLoading() {
  const back = useBack();
  return (
    <div className="mq-stack mq-fill">
      <NavBar title="选择座位" onBack={back} />
      <Skeleton className="mq-stack mq-fill">
        <div className="seats__bones-show seats__show mq-grid mq-gap-8">
          <Bone width={128} />
          <Bone width={64} />
          <Bone width={104} />
          <Bone width={48} />
        </div>
        <div className="hall__front mq-fixed mq-relative mq-container">
          <HallScreen />
        </div>
        <div className="seats__bones-hall mq-stack mq-fill mq-gap-8 mq-px-16 mq-py-12 mq-clip">
          {Array.from({ length: 14 }, (_, row) => (
            <Bone key={row} height={18} radius={0} />
          ))}
        </div>
        <div className="seats__panel mq-relative mq-sheet mq-container">
          <div className="mq-grid mq-items-middle mq-gap-12 mq-px-16 mq-py-12">
            <Bone width="70%" />
            <Bone height={44} radius={8} />
            <Bone height={48} radius={24} />
          </div>
        </div>
      </Skeleton>
    </div>
  );
});

/** Errors after which the buyer has to choose another showing, because a retry cannot succeed. */
const gone: Partial<Record<string, string>> = {
  sale_stopped: stoppedTexts.stopped,
  show_not_found: '场次不存在或已下架',
};

interface SeatPageFailedProps {
  failure: unknown;
  onRetry: () => unknown;
  /** The page of the cinema's showings; undefined if the address does not contain the cinema. */
  showings: string | undefined;
}

/** The page without a seat map: the showing is no longer on sale, or the call failed and can be repeated. */
export function SeatPageFailed({ failure, onRetry, showings }: SeatPageFailedProps) {
  const back = useBack();
  const words = gone[codeOf(failure) ?? ''];
  if (words !== undefined) return <OtherShowings words={words} showings={showings} />;
  return (
    <div className="mq-stack mq-fill">
      <NavBar title="选择座位" onBack={back} />
      <ErrorState message={customerMessage(failure)} onRetry={onRetry} />
    </div>
  );
}

interface OtherShowingsProps {
  words: string;
  showings: string | undefined;
}

/**
 * Says why the showing of the address cannot be bought here, with a link to the showings of its cinema, or to the home
 * page if the cinema is not known.
 */
export function OtherShowings({ words, showings }: OtherShowingsProps) {
  const back = useBack();
  const navigate = useNavigate();
  return (
    <div className="mq-stack mq-fill">
      <NavBar title="选择座位" onBack={back} />
      <Empty text={words}>
        <Button onClick={() => navigate(showings ?? paths.home(), { replace: true })}>
          {showings === undefined ? '回到首页' : '查看影院场次'}
        </Button>
      </Empty>
    </div>
  );
}

/** Shown if the film or cinema of the address is not that of the showing. */
export const otherShow = '链接中的影片或影院与该场次不符，请重新选择场次';

/** Reports whether an id of the address contradicts the answer of the source. Empty ids contradict nothing. */
export function differs(named: string, ...answered: string[]): boolean {
  return named !== '' && answered.some((id) => id !== '') && !answered.includes(named);
}
