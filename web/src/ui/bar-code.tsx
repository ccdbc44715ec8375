import { code128 } from './code-128';

/** A text as a bar code, dark on white by night as well: scanners want it so. As wide as its place. */
export function BarCode({ value, label, height = 72 }: { value: string; label: string; height?: number }) {
  const widths = code128(value);
  const quiet = 10;
  const total = widths.reduce((sum, width) => sum + width, 0) + quiet * 2;
  const ends = widths.map((_, i) => quiet + widths.slice(0, i + 1).reduce((sum, width) => sum + width, 0));
  const bars = widths.map((width, i) => (i % 2 === 0 ? `M${(ends[i] ?? 0) - width} 0h${width}v1h-${width}z` : ''));
  return (
    <svg
      className="mq-bar-code"
      viewBox={`0 0 ${total} 1`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={total} height="1" fill="#ffffff" />
      <path d={bars.join('')} fill="#17171c" />
    </svg>
  );
}
