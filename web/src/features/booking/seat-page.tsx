import './seat-page.css';
import { startTransition, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../shop/paths';
import { yuan } from '../../shop/price';
import { momentText, shanghaiSeconds } from '../../shop/time';
import { useBack } from '../../shop/use-back';
import { NavBar } from '../../ui/nav-bar';
import { toast } from '../../ui/toast';
import { bestSeats } from './best-seats';
import { seatsOf } from './hall';
import { HallMap, type HallMapHandle } from './hall-map';
import { Legend } from './legend';
import { NoticePopup } from './notice-popup';
import { PicksPanel } from './picks-panel';
import { rescue } from './rescue';
import { RescuePopup } from './rescue-popup';
import type { SeatMap, SeatSource } from './seat-map';
import { sift, toggle, total } from './selection';
import { UnpaidDialog } from './unpaid-dialog';
import { useLock } from './use-lock';
import type { Unpaid } from './use-unpaid-order';

interface SeatPageProps {
  map: SeatMap;
  source: SeatSource;
  unpaid: Unpaid;
  /** Reads the seats anew. */
  refresh: () => Promise<unknown>;
}

/** Choosing seats, of either source: the hall, what was chosen, and the way to the payment. */
export function SeatPage({ map: { show, hall, rules, stopped: closed }, source, unpaid, refresh }: SeatPageProps) {
  const navigate = useNavigate();
  const back = useBack();
  const hallMap = useRef<HallMapHandle>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  /** What is chosen, a moment before the page is drawn with it: the next tap goes on from here. */
  const latest = useRef(chosen);
  const [reading, setReading] = useState(false);
  const [refusedSale, setRefusedSale] = useState(false);
  const lock = useLock(source);

  const stopped = closed || refusedSale;
  // Seats that others took while one chose are lost in this very moment, not when somebody presses a button.
  const saved = lock.busy ? undefined : rescue(hall, chosen, rules);
  const picked = saved ? saved.kept : chosen;
  const when = momentText(shanghaiSeconds(show.starts));

  function change(id: string) {
    if (lock.busy) return;
    const choice = toggle(hall, sift(hall, latest.current).kept, id, rules);
    if ('refused' in choice) toast(choice.refused);
    else pick(choice.picked);
  }

  /** The seat answers the finger first; what the page says about it may come with the next picture. */
  function pick(ids: readonly string[]) {
    latest.current = ids;
    hallMap.current?.mark(ids);
    startTransition(() => setChosen(ids));
  }

  function choose(ids: readonly string[]) {
    pick(ids);
    hallMap.current?.reveal(ids);
  }

  /** What takes the place of lost seats was not read about yet. */
  function chooseInstead(ids: readonly string[]) {
    setReading(false);
    choose(ids);
  }

  function best(people: number) {
    const found = bestSeats(hall, people, rules);
    if (found.length > 0) choose(found);
    else toast('没有足够的空座');
  }

  function submit() {
    setChosen(latest.current);
    setReading(true);
  }

  async function agree() {
    const failure = await lock.run(picked);
    if (failure === undefined) return;
    setReading(false);
    if (failure === 'seats') await refresh();
    if (failure === 'unpaid') await unpaid.ask();
    if (failure === 'stopped') setRefusedSale(true);
  }

  async function cancelUnpaid() {
    await unpaid.unlock();
    await refresh();
  }

  return (
    <div className="seats">
      <NavBar title={show.film} onBack={back} />
      <p className="seats__show">
        <strong>{when}</strong> {[show.language, show.version].filter(Boolean).join(' ')}
        <span className="seats__cinema mq-ellipsis">{show.cinema}</span>
      </p>
      <HallMap ref={hallMap} hall={hall} hallName={show.hallName} picked={picked} onToggle={change} />
      <div className="seats__panel">
        <Legend hall={hall} />
        <PicksPanel
          hall={hall}
          picked={picked}
          onRemove={change}
          onBest={best}
          onSubmit={submit}
          stopped={stopped}
          busy={lock.busy}
        />
      </div>
      <NoticePopup
        open={reading && saved === undefined}
        onClose={() => setReading(false)}
        onAgree={agree}
        busy={lock.busy}
        show={show}
        when={when}
        seats={seatsOf(hall, picked).map((seat) => seat.name)}
        total={yuan(total(hall, picked))}
      />
      <RescuePopup hall={hall} rescue={saved} onChoose={chooseInstead} />
      <UnpaidDialog
        open={unpaid.order !== undefined}
        onPay={() =>
          unpaid.order && navigate(paths.pay(unpaid.order.id, { new: unpaid.order.type === 2 ? '1' : undefined }))
        }
        onCancel={cancelUnpaid}
      />
    </div>
  );
}
