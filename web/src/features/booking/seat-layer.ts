import { type Hall, sameRow } from './hall';
import { cells, rowMarkup, seatName, tickPath } from './seat-markup';

const svg = 'http://www.w3.org/2000/svg';

/**
 * The seats of a hall in the picture. A large hall has a thousand, which the browser reads from markup in half the time
 * that React takes to make them one by one; afterwards only what changes is touched, so that a tap costs one element.
 */
export class SeatLayer {
  private drawn: Hall | undefined;
  private readonly ticks = new Map<string, SVGElement>();
  private focused: string | undefined;

  constructor(private readonly root: SVGGElement) {}

  /** Draws the rows that are not as they were, and shows what is chosen and where the Tab key leads. */
  show(hall: Hall, picked: readonly string[], focus: string | undefined): void {
    if (hall !== this.drawn) this.draw(hall);
    for (const [id, mark] of this.ticks) {
      if (picked.includes(id) && mark.isConnected) continue;
      this.ticks.delete(id);
      mark.remove();
      this.dress(hall, id, false);
    }
    for (const id of picked) if (!this.ticks.has(id)) this.choose(hall, id);
    this.lead(focus);
  }

  /** Moves the keyboard to a seat. Only the seat that the Tab key reaches can be focused. */
  focus(id: string): void {
    this.lead(id);
    this.cell(id)?.focus({ preventScroll: true });
  }

  private draw(hall: Hall): void {
    const before = this.drawn?.rows ?? [];
    this.drawn = hall;
    const standing = document.activeElement;
    const keyboard = standing instanceof SVGElement && this.root.contains(standing) ? standing.dataset.seat : undefined;
    if (before.length !== hall.rows.length) {
      this.root.innerHTML = hall.rows.map((row) => rowMarkup(hall, row)).join('');
      this.focused = undefined;
    } else {
      for (const [i, row] of hall.rows.entries()) {
        if (sameRow(before[i]!, row)) continue;
        const group = this.root.children[i]!;
        group.setAttribute('aria-label', `${row.name}排`);
        group.innerHTML = cells(hall, row);
        if (row.seats.some((seat) => seat.id === this.focused)) this.focused = undefined;
      }
    }
    // Who was on a seat by keyboard is still there when its row was drawn anew.
    if (keyboard !== undefined && !standing?.isConnected) this.focus(keyboard);
  }

  private lead(id: string | undefined): void {
    if (id === this.focused) return;
    if (this.focused !== undefined) this.cell(this.focused)?.removeAttribute('tabindex');
    this.focused = id;
    if (id !== undefined) this.cell(id)?.setAttribute('tabindex', '0');
  }

  private choose(hall: Hall, id: string): void {
    const seat = hall.byId.get(id);
    const cell = this.cell(id);
    if (!seat || !cell) return;
    this.dress(hall, id, true);
    const mark = document.createElementNS(svg, 'path');
    mark.setAttribute('class', 'seat__tick');
    mark.setAttribute('d', tickPath(seat));
    mark.setAttribute('aria-hidden', 'true');
    cell.parentElement?.append(mark);
    this.ticks.set(id, mark);
  }

  private dress(hall: Hall, id: string, picked: boolean): void {
    const seat = hall.byId.get(id);
    const cell = this.cell(id);
    if (!seat || !cell) return;
    cell.classList.toggle('seat--picked', picked);
    cell.setAttribute('aria-label', seatName(seat, picked));
    if (seat.available) cell.setAttribute('aria-selected', String(picked));
    if (seat.half === 'right')
      this.root.querySelector(`[data-heart="${CSS.escape(id)}"]`)?.toggleAttribute('hidden', picked);
  }

  /** By its place: to search a thousand elements for an id takes longer than to paint one. */
  private cell(id: string): SVGElement | undefined {
    const seat = this.drawn?.byId.get(id);
    if (!seat) return undefined;
    const at = this.drawn!.rows.findIndex(({ row }) => row === seat.row);
    const cells = this.root.children[at]?.children;
    return cells?.[this.drawn!.rows[at]!.seats.indexOf(seat)] as SVGElement | undefined;
  }
}
