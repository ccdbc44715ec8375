import '../../ui/looks.css';
import { useState } from 'react';
import { isInApp } from '../../session/in-app';
import { calendarEntry } from '../../shop/calendar';
import { mapAddress } from '../../shop/map-address';
import { useServerTime } from '../../shop/server-time';
import { groupedCode, isOver, isPaid, seatNames, seatsText, ticketCodes } from '../../shop/ticket-order';
import { momentText, untilStart } from '../../shop/time';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copyable';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import { Popup } from '../../ui/popup';
import { QrCode } from '../../ui/qr-code';
import type { TicketCode } from '../../wire/generated/TicketCode';
import type { TicketOrder } from '../../wire/generated/TicketOrder';

/** The electronic ticket: film, time, seats, QR code and codes, and links that help to get to the cinema. */
export function Ticket({ order }: { order: TicketOrder }) {
  const codes = ticketCodes(order);
  const first = codes[0];
  const [shown, setShown] = useState(false);
  return (
    <section className="mq-card mq-container" aria-label="电子票">
      <TicketHead order={order} />
      <div className="ticket__tear" aria-hidden="true" />
      {first && (
        <div className="ticket__qr mq-center mq-second">
          <Code codes={codes} />
        </div>
      )}
      <dl className="ticket__codes">
        {codes.map(({ name, code }) => (
          <div className="mq-row mq-wrap mq-between mq-touch mq-gap-12 mq-rows-0" key={`${name} ${code}`}>
            <dt className="mq-fixed mq-second">{name}</dt>
            <dd className="mq-row mq-shrink mq-push mq-gap-10 mq-bold">
              <Digits code={code} />
              <CopyButton name={name} value={code} />
            </dd>
          </div>
        ))}
      </dl>
      <div className="mq-flex mq-wrap mq-gap-8 mq-mt-8">
        {first && (
          <Button kind="plain" icon="scan" className="mq-grow mq-text-14" onClick={() => setShown(true)}>
            全屏出示
          </Button>
        )}
        {/* The browser of the messaging app cannot open calendar files. */}
        {!isInApp() && <CalendarButton order={order} />}
      </div>
      <Message text={order.smscontent} codes={codes} />
      <Popup
        open={shown}
        onClose={() => setShown(false)}
        label="出示电子票"
        position="center"
        className="mq-popup--full"
        bare
      >
        <ShownTicket order={order} codes={codes} onClose={() => setShown(false)} />
      </Popup>
    </section>
  );
}

/** The film, the time, the seats and the cinema of an order in any state. */
export function TicketHead({ order }: { order: TicketOrder }) {
  return (
    <div className="mq-column mq-gap-8">
      <div className="ticket__film mq-flex mq-gap-12">
        <Picture className="mq-fixed mq-self-start" src={order.movielogo} alt="" width={64} />
        <div>
          <h3 className="mq-text-18">{order.moviename}</h3>
          <p className="mq-name mq-mt-4">{momentText(order.playtime)}</p>
          <p className="mq-line mq-gap-8 mq-rows-0 mq-note mq-mt-4">
            {order.edition} · {order.quantity} 张{isPaid(order) && <StartsIn order={order} />}
          </p>
        </div>
      </div>
      <p className="mq-line mq-gap-6 mq-text-18 mq-strong">
        <strong className="mq-strong">{order.roomname}</strong>
        {seatNames(order).map((seat) => (
          <span className="mq-sunken mq-pill mq-px-8 mq-nowrap" key={seat}>
            {seat}
          </span>
        ))}
      </p>
      <div className="mq-row mq-between mq-gap-12">
        <p className="mq-shrink">
          <span className="mq-whole">{order.cinemaname}</span>
          {!isOver(order) && order.cinemaaddress && <small className="mq-note mq-block">{order.cinemaaddress}</small>}
        </p>
        {!isOver(order) && (
          <a className="mq-line-action" href={mapAddress(order)} target="_blank" rel="noopener noreferrer">
            <Icon name="location" />
            导航
          </a>
        )}
      </div>
    </div>
  );
}

/** The source's message for the buyer. It is folded if it contains all codes, because they are already shown above. */
function Message({ text, codes }: { text: string; codes: readonly TicketCode[] }) {
  if (text === '') return null;
  const repeats = codes.length > 0 && codes.every(({ code }) => text.includes(code));
  return (
    <details className="mq-fold mq-mt-8 mq-line-above mq-note" open={!repeats}>
      <summary className="mq-row mq-touch mq-gap-4">
        取票短信
        <Icon name="down" />
      </summary>
      <p>{text}</p>
    </details>
  );
}

function Code({ codes, size }: { codes: readonly TicketCode[]; size?: number }) {
  const value = codes.map(({ code }) => code).join('|');
  return <QrCode value={value} label={`取票二维码 ${codes[0]?.code}`} {...(size !== undefined && { size })} />;
}

/**
 * A code whose digits are in groups. The gaps between the groups are not characters, so that a selected code is copied
 * without spaces.
 */
function Digits({ code }: { code: string }) {
  const groups = groupedCode(code);
  if (groups.length === 1) return <span>{code}</span>;
  return (
    <span className="mq-inline mq-wrap mq-gap-6 mq-rows-0">
      {groups.map((group, i) => (
        // The groups of a code never change their order.
        <span key={`${i} ${group}`}>{group}</span>
      ))}
    </span>
  );
}

/** The time until the show starts. */
function StartsIn({ order }: { order: TicketOrder }) {
  return <strong className="mq-ok mq-strong">{untilStart(order.playtime, useServerTime())}</strong>;
}

/** Saves the show as a file that the phone's calendar opens. */
function CalendarButton({ order }: { order: TicketOrder }) {
  const now = useServerTime();
  const entry = `data:text/calendar;charset=utf-8,${encodeURIComponent(calendarEntry(order, Math.floor(now)))}`;
  return (
    <a
      className="van-button mq-button van-button--default mq-row mq-middle mq-grow mq-gap-6 mq-text-14"
      href={entry}
      download={`${order.moviename}.ics`}
    >
      <Icon name="calendar" />
      加入日历
    </a>
  );
}

/**
 * The ticket as the customer shows it to the cinema's staff: the QR code as large as the screen allows, on white also
 * in dark mode.
 */
function ShownTicket({
  order,
  codes,
  onClose,
}: {
  order: TicketOrder;
  codes: readonly TicketCode[];
  onClose: () => void;
}) {
  return (
    <div className="ticket-show__page mq-stack mq-align-center mq-gap-12 mq-centered">
      <h2>{order.moviename}</h2>
      <p>{momentText(order.playtime)}</p>
      <p>
        {order.roomname} {seatsText(order)}
      </p>
      <p>
        {order.cinemaname} · {order.quantity} 张
      </p>
      <Code codes={codes} size={320} />
      <dl className="mq-grid mq-gap-12">
        {codes.map(({ name, code }) => (
          <div key={`${name} ${code}`}>
            <dt className="mq-second">{name}</dt>
            <dd className="mq-text-28 mq-bold">
              <Digits code={code} />
            </dd>
          </div>
        ))}
      </dl>
      <Button size="large" block onClick={onClose}>
        关闭
      </Button>
    </div>
  );
}
