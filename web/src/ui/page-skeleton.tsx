import './looks.css';
import type { ReactNode } from 'react';
import { cx } from './cx';
import { Bone, Lines, Skeleton } from './skeleton';

interface PageSkeletonProps {
  /** What is above the cards, such as a Bone with the size of a picture. */
  head?: ReactNode;
  /** The number of lines in each card. A card of n lines is about 20 + 28 n pixels high. */
  cards: readonly number[];
  /** Whether the page has a bar with a button at the lower edge of the screen. */
  bar?: boolean;
  className?: string;
}

/**
 * The placeholder of a page that is not a list, such as a form or the details of an order. It is not in skeleton.tsx,
 * because it needs looks.css, which the first page does not load.
 */
export function PageSkeleton({ head, cards, bar, className }: PageSkeletonProps) {
  return (
    <Skeleton className={cx('mq-column mq-gap-12 mq-page', className)}>
      {head}
      {cards.map((count, i) => (
        <div key={i} className="mq-card mq-flex">
          <Lines count={count} />
        </div>
      ))}
      {bar && (
        <>
          <div className="mq-bottom-space" />
          <div className="mq-bottom">
            <Bone height={48} radius={24} />
          </div>
        </>
      )}
    </Skeleton>
  );
}
