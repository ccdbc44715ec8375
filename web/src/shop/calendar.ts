import type { TicketOrder } from '../wire/generated/TicketOrder';
import { seatsText } from './ticket-order';

/** The assumed length of a show, which orders do not contain. */
const showSeconds = 2 * 3600;

/** Formats unix seconds as a UTC time of RFC 5545: 20300602T011000Z. */
function utc(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** Escapes a text value (RFC 5545, 3.3.11). */
function escaped(value: string): string {
  return value.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
}

/** Folds a line after 75 octets of UTF-8 (RFC 5545, 3.1). */
function folded(line: string): string {
  const size = (text: string) => new TextEncoder().encode(text).length;
  const lines = [''];
  for (const sign of line) {
    const last = lines.length - 1;
    if (size(`${lines[last]}${sign}`) > 75) lines.push(` ${sign}`);
    else lines[last] += sign;
  }
  return lines.join('\r\n');
}

/**
 * The calendar entry of a ticket as an iCalendar file, with a reminder an hour before. It does not contain the ticket
 * codes, because calendars are shared. `now` is the entry's time stamp in unix seconds.
 */
export function calendarEntry(order: TicketOrder, now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//marquee//ticket//ZH',
    'BEGIN:VEVENT',
    `UID:${order.id}@marquee`,
    `DTSTAMP:${utc(now)}`,
    `DTSTART:${utc(order.playtime)}`,
    `DTEND:${utc(order.playtime + showSeconds)}`,
    `SUMMARY:${escaped(`${order.moviename} · ${order.cinemaname}`)}`,
    `LOCATION:${escaped([order.cinemaname, order.cinemaaddress].filter(Boolean).join(' '))}`,
    `DESCRIPTION:${escaped(`${order.roomname} ${seatsText(order)}`)}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(order.moviename)}`,
    'TRIGGER:-PT1H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ];
  return lines.map(folded).join('\r\n');
}
