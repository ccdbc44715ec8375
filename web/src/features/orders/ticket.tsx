import { QRCodeSVG } from 'qrcode.react';
import { Component, type ReactNode } from 'react';
import { momentText } from '../../api/shanghai-time';
import { seatNames, type TicketOrder, ticketCodes } from '../../api/ticket-order';
import { copy } from '../../ui/copy';
import { Icon } from '../../ui/icon';
import { Picture } from '../../ui/picture';

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
          <QrFrame>
            {/* Dark on white by night as well: scanners want it so. */}
            <QRCodeSVG
              value={codes.map(({ code }) => code).join('|')}
              size={176}
              level="M"
              marginSize={2}
              bgColor="#ffffff"
              fgColor="#17171c"
              role="img"
              title={`取票二维码 ${first.code}`}
            />
          </QrFrame>
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

/** A code that cannot be drawn leaves its digits, which are below, and says so. */
class QrFrame extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <p role="alert">二维码加载失败</p> : this.props.children;
  }
}
