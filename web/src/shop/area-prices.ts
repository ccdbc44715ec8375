/**
 * Parses the prices of a legacy showing's areas, such as `A:4200,B:5200`, in fen. Entries without a name or a number are
 * left out.
 */
export function areaPrices(text: string): { area: string; fen: number }[] {
  return text.split(',').flatMap((entry) => {
    const [area, price] = entry.split(':').map((part) => part.trim());
    const fen = Number(price);
    return area && price && Number.isFinite(fen) ? [{ area, fen }] : [];
  });
}
