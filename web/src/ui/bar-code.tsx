import encode from 'jsbarcode';

/**
 * The width of the empty margin that Code 128 requires on each side, in modules. A module is the width of the narrowest
 * bar.
 */
const quietZone = 10;

/**
 * The modules of a text in Code 128, from left to right: 1 is a bar, 0 a gap. An even number of digits is encoded in
 * code set C, which takes half the width, and any other text in set B. Throws if the text contains a character that set
 * B does not have, such as a Chinese one.
 */
export function modulesOf(value: string): string {
  const drawing: { encodings?: { data: string }[] } = {};
  encode(drawing, value, { format: /^(\d\d)+$/.test(value) ? 'CODE128C' : 'CODE128B' });
  return (drawing.encodings ?? []).map(({ data }) => data).join('');
}

/**
 * Returns the CSS length of a code: the largest one in its container at which each module has the same whole number of
 * screen pixels, because a scanner compares the widths of the bars. If the container is too small for that, the code
 * fills it.
 */
export function codeLength(modules: number, pixelRatio: number): string {
  const once = modules / pixelRatio;
  return `max(round(down, 100%, ${once}px), min(100%, ${once}px))`;
}

interface BarCodeProps {
  value: string;
  label: string;
  /** Whether the code runs from top to bottom, over the full height of its container. */
  upright?: boolean;
}

/**
 * A text as a Code 128 bar code over the width of its container. It is dark on white in dark mode as well, because
 * scanners need that contrast.
 */
export function BarCode({ value, label, upright }: BarCodeProps) {
  const modules = modulesOf(value);
  const total = modules.length + quietZone * 2;
  const bars = [...modules.matchAll(/1+/g)].map(({ index, 0: { length } }) => {
    const at = quietZone + index;
    return upright ? `M0 ${at}h1v${length}h-1z` : `M${at} 0h${length}v1h-${length}z`;
  });
  const length = codeLength(total, window.devicePixelRatio);
  return (
    <svg
      className="mq-bar-code"
      viewBox={upright ? `0 0 1 ${total}` : `0 0 ${total} 1`}
      // Browsers without CSS round() (before Chrome 125) ignore the style and use these attributes.
      width={upright ? 120 : '100%'}
      height={upright ? '100%' : 72}
      style={upright ? { width: 120, height: length } : { width: length, height: 72 }}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width="100%" height="100%" fill="#ffffff" />
      <path d={bars.join('')} fill="#17171c" />
    </svg>
  );
}
