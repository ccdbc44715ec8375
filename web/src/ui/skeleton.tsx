import './skeleton.css';
import type { CSSProperties, ReactNode } from 'react';
import { cx } from './cx';

/**
 * A gray placeholder with the size of the content that replaces it, so that the layout does not shift. Use it alone for a
 * spot within loaded content, such as a sum that is still computed.
 */
export function Bone({
  width,
  height,
  radius,
  ratio,
}: {
  width?: string | number;
  height?: string | number;
  radius?: number | string;
  ratio?: string;
}) {
  const style: CSSProperties = { width, height: ratio ? 'auto' : height, borderRadius: radius, aspectRatio: ratio };
  return <span className="mq-bone" style={style} />;
}

/**
 * The placeholder of content that is loading. The children are Bones, by default `rows` lines. Screen readers read only
 * `label`.
 */
export function Skeleton({
  children,
  rows = 3,
  className,
  label = '加载中',
}: {
  children?: ReactNode;
  rows?: number;
  className?: string;
  label?: string;
}) {
  return (
    <div className={className} role="status" aria-busy="true">
      <span className="mq-hidden">{label}</span>
      {children ?? <Lines count={rows} />}
    </div>
  );
}

const widths = ['45%', '80%', '60%', '35%'];

/** Lines of different widths. */
export function Lines({ count }: { count: number }) {
  return (
    <span className="mq-stack mq-fill mq-gap-12">
      {Array.from({ length: count }, (_, i) => (
        <Bone key={i} width={widths[i % widths.length]} />
      ))}
    </span>
  );
}

interface ListSkeletonProps {
  /** The height of a row in pixels, with its padding. */
  height: number;
  /** The shape of the picture at the start of each row. */
  picture?: 'poster' | 'square';
  /** `cards`: each row is a card; `box`: one card contains all rows; `plain`: the rows have no background. */
  look?: 'cards' | 'box' | 'plain';
  /** By default as many rows as fit on the screen of a phone. */
  rows?: number;
  /** What is above the rows, such as a Bone with the size of a filter. */
  head?: ReactNode;
}

/** The height of a phone's screen without the title bar, in pixels. */
const screenHeight = 800;
/** The padding of a row at the top and at the bottom together, in pixels. */
const padding = 24;
/** The largest height of a picture in pixels. */
const maxPicture = 120;

/**
 * The placeholder of a list: rows of lines, with pictures if the list has some. It does not draw buttons, prices and
 * tags, because the size of the rows is enough to keep the layout.
 */
export function ListSkeleton({
  height,
  picture,
  look = 'cards',
  rows = Math.ceil(screenHeight / height),
  head,
}: ListSkeletonProps) {
  const side = Math.min(height - padding, maxPicture);
  const plain = look === 'plain';
  return (
    <Skeleton className={plain ? 'mq-block mq-px-16' : 'mq-column mq-gap-12 mq-page-list'}>
      {head}
      <div className={cx(look === 'cards' ? 'mq-column mq-gap-12' : 'mq-divided', look === 'box' && 'mq-box')}>
        {Array.from({ length: rows }, (_, i) => (
          <div
            key={i}
            className={cx('mq-row mq-gap-12', plain ? 'mq-py-12' : 'mq-p-12', look === 'cards' && 'mq-box')}
            style={{ minHeight: height }}
          >
            {picture && <Bone width={picture === 'poster' ? (side * 2) / 3 : side} height={side} radius={8} />}
            {/* A line and the gap above it take about 32 pixels. */}
            <Lines count={Math.min(Math.floor(height / 32), widths.length)} />
          </div>
        ))}
      </div>
    </Skeleton>
  );
}
