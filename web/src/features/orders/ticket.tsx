import { seatNames, type TicketOrder, ticketCodes } from '../../shop/ticket-order';
import { momentText } from '../../shop/time';
import { copy } from '../../ui/copy';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';
import { QrCode } from '../../ui/qr-code';

/** The electronic ticket: film, time, seats, the codes and their QR code. */
export function Ticket({ order }: { order: TicketOrder }) {
  const codes = ticketCodes(order);
  const first = codes[0];
  return (
    <section className="ticket" aria-label="电子票">
      <div className="ticket__film">
        <Picture src={order.movielogo} alt="" width={64} />
        <div>
          <h3>{order.moviename}</h3>
          <p className="ticket__when">{momentText(order.playtime)}</p>
          <p>
            {order.edition} {order.quantity} 张
          </p>
        </div>
      </div>
      <p className="ticket__seats">
        <strong>{order.roomname}</strong>
        {seatNames(order).map((seat) => (
          <span key={seat}>{seat}</span>
        ))}
      </p>
      <p className="ticket__cinema">
        {order.cinemaname}
        {order.cinemaaddress && <small>{order.cinemaaddress}</small>}
      </p>
      <div className="ticket__tear" aria-hidden="true" />
      {first && (
        <div className="ticket__qr">
          <QrCode value={codes.map(({ code }) => code).join('|')} label={`取票二维码 ${first.code}`} />
        </div>
      )}
      <dl className="ticket__codes">
        {codes.map(({ name, code }) => (
          <div key={`${name} ${code}`}>
            <dt>{name}</dt>
            <dd>
              <span>{code}</span>
              <button type="button" aria-label={`复制${name} ${code}`} onClick={() => copy(code)}>
                <Icon name="copy" />
                复制
              </button>
            </dd>
          </div>
        ))}
      </dl>
      {order.smscontent && <p className="ticket__sms">{order.smscontent}</p>}
    </section>
  );
}
