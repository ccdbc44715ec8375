import encode from 'jsbarcode';

/** The modules of the quiet zone that Code 128 requires on each side. */
const quietZone = 10;

/**
 * The modules of a text in set B of Code 128, from left to right: 1 is a bar, 0 a gap. It throws unless the text is
 * printable ASCII.
 */
export function modulesOf(value: string): string {
  const drawing: { encodings?: { data: string }[] } = {};
  encode(drawing, value, { format: 'CODE128B' });
  return (drawing.encodings ?? []).map(({ data }) => data).join('');
}

/**
 * A text as a Code 128 bar code, as wide as its container and `height` pixels high. It is dark on white in night mode
 * as well, because scanners need that contrast.
 */
export function BarCode({ value, label, height = 72 }: { value: string; label: string; height?: number }) {
  const modules = modulesOf(value);
  const total = modules.length + quietZone * 2;
  const bars = [...modules.matchAll(/1+/g)].map(({ index, 0: { length } }) => {
    return `M${quietZone + index} 0h${length}v1h-${length}z`;
  });
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
