import './card-face.css';
import { type ReactNode, type SyntheticEvent, useId } from 'react';
import { cx } from '../ui/cx';

type Pattern = 'rings' | 'petals' | 'frames' | 'pages' | 'rays' | 'waves' | 'dots' | 'facets';

interface Look {
  from: string;
  to: string;
  pattern: Pattern;
}

/**
 * The colors and the drawing of each face. Both colors of a gradient have a contrast of at least 4.5:1 to white text.
 */
const looks: Look[] = [
  { from: '#b3202f', to: '#6d1030', pattern: 'rings' },
  { from: '#a8446c', to: '#6b2350', pattern: 'petals' },
  { from: '#24345f', to: '#111a38', pattern: 'frames' },
  { from: '#1f6b57', to: '#0e3b36', pattern: 'pages' },
  { from: '#a34414', to: '#6b1f12', pattern: 'rays' },
  { from: '#8a3d5a', to: '#4d2350', pattern: 'dots' },
  { from: '#3b4fa0', to: '#22225f', pattern: 'waves' },
  { from: '#2f6a73', to: '#173e52', pattern: 'pages' },
  { from: '#6f5320', to: '#3c2b12', pattern: 'facets' },
  { from: '#3a3942', to: '#17161c', pattern: 'rays' },
  { from: '#4b3a74', to: '#231a44', pattern: 'facets' },
];

const ink = { fill: 'none', stroke: '#ffffff', strokeWidth: 1.2 };

function Drawing({ pattern }: { pattern: Pattern }) {
  switch (pattern) {
    case 'rings':
      return [34, 58, 84, 112, 142].map((r) => <circle key={r} cx="286" cy="44" r={r} {...ink} />);
    case 'petals':
      return [0, 30, 60, 90, 120, 150].map((turn) => (
        <ellipse key={turn} cx="276" cy="70" rx="104" ry="30" transform={`rotate(${turn} 276 70)`} {...ink} />
      ));
    case 'frames':
      return [0, 1, 2, 3, 4, 5].map((i) => (
        <g key={i} transform={`translate(${150 + i * 40} ${-22 + i * 6}) rotate(18)`}>
          <rect width="30" height="230" rx="3" {...ink} />
          {[12, 40, 68, 96, 124, 152, 180].map((y) => (
            <rect key={y} x="6" y={y} width="18" height="16" rx="2" {...ink} />
          ))}
        </g>
      ));
    case 'pages':
      return [0, 14, 28, 42, 56, 70].map((i) => (
        <path key={i} d={`M${200 - i} 210 Q ${250 - i} ${40 + i} 352 ${-6 + i * 1.4}`} {...ink} />
      ));
    case 'rays':
      return Array.from({ length: 17 }, (_, i) => i * 6 - 4).map((turn) => (
        <line key={turn} x1="330" y1="-8" x2="60" y2="-8" transform={`rotate(${-turn} 330 -8)`} {...ink} />
      ));
    case 'waves':
      return [0, 18, 36, 54, 72, 90, 108].map((y) => (
        <path key={y} d={`M120 ${60 + y} q 30 -26 60 0 t 60 0 t 60 0 t 60 0`} {...ink} />
      ));
    case 'dots':
      return Array.from({ length: 42 }, (_, i) => ({
        x: 190 + (i % 7) * 24,
        y: 14 + Math.floor(i / 7) * 30,
        r: 1.5 + ((i * 7) % 5),
      })).map(({ x, y, r }) => <circle key={`${x} ${y}`} cx={x} cy={y} r={r} fill="#ffffff" />);
    case 'facets':
      return [
        'M170 0l56 66 120-30',
        'M226 66l-40 134',
        'M226 66l70 134',
        'M186 200l110 0 50-100-120-34',
        'M296 200l-10-120',
        'M240 0l-14 66',
        'M300 0l-74 66',
      ].map((d) => <path key={d} d={d} {...ink} />);
  }
}

interface CardFaceProps {
  /**
   * The number of the face, from 1: the type of the card (`pid`). Numbers beyond the last face start again at the
   * first.
   */
  face: number;
  /** The address of a picture between the drawing and the text. */
  picture?: string | undefined;
  title: ReactNode;
  /** The content opposite the title. */
  mark?: ReactNode;
  /** Large content at the bottom. */
  figure?: ReactNode;
  /** Small content at the bottom. */
  note?: ReactNode;
  /** Content across the middle. */
  number?: ReactNode;
  /** Whether the card is shown without color, because it can no longer be used. */
  spent?: boolean;
  /** Whether the face has the notched edges of a voucher. */
  voucher?: boolean;
  /**
   * `low` is for lists: `title` and `figure` in the first line, `number` and `note` in the second one. `mini` has room
   * for `title` only.
   */
  size?: 'full' | 'low' | 'mini';
}

/** Hides a picture that failed to load, so that the drawing is visible. */
function hide({ currentTarget }: SyntheticEvent<HTMLImageElement>) {
  currentTarget.hidden = true;
}

/** A card with a drawn face. */
export function CardFace({
  face,
  picture,
  title,
  mark,
  figure,
  note,
  number,
  spent,
  voucher,
  size = 'full',
}: CardFaceProps) {
  const id = useId();
  const look = looks[(face - 1 + looks.length) % looks.length] ?? looks[0];
  if (!look) return null;
  return (
    <div className={cx('mq-face', `mq-face--${size}`, spent && 'mq-face--spent', voucher && 'mq-face--voucher')}>
      <svg className="mq-face__ground" viewBox="0 0 342 200" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <defs>
          <linearGradient id={id} x1="0" y1="0" x2="1" y2="1">
            <stop offset="0" stopColor={look.from} />
            <stop offset="1" stopColor={look.to} />
          </linearGradient>
        </defs>
        <rect width="342" height="200" fill={`url(#${id})`} />
        <g className="mq-face__drawing">
          <Drawing pattern={look.pattern} />
        </g>
      </svg>
      {picture && <img className="mq-face__ground mq-face__picture" src={picture} alt="" onError={hide} />}
      <div className="mq-face__head">
        <span className="mq-face__title">{title}</span>
        {mark !== undefined && <span className="mq-face__mark mq-text-12">{mark}</span>}
      </div>
      {number !== undefined && <div className="mq-face__number">{number}</div>}
      {(figure !== undefined || note !== undefined) && (
        <div className="mq-face__foot">
          <span className="mq-face__figure">{figure}</span>
          <span className="mq-face__note mq-text-12">{note}</span>
        </div>
      )}
    </div>
  );
}
