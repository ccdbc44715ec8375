import './skeleton.css';
import type { CSSProperties, ReactNode } from 'react';

/** One grey bone. Give it the size of what will stand there, so that nothing jumps. */
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

/** A page or part that loads. The children are bones; read out, it is one word. */
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
