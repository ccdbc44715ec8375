import './skeleton.css';
import type { CSSProperties, ReactNode } from 'react';

/** A grey placeholder. Give it the size of the content that replaces it, so that the layout does not shift. */
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
    <div className={className ?? 'mq-skeleton'} role="status" aria-busy="true">
      <span className="mq-hidden">{label}</span>
      {children ?? Array.from({ length: rows }, (_, i) => <Bone key={i} width={i === rows - 1 ? '60%' : '100%'} />)}
    </div>
  );
}
