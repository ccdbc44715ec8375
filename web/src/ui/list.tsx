import './list.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button';
import { Loading } from './loading';

interface ListProps {
  children: ReactNode;
  /** Whether there are more items. If not, `endText` is shown. */
  more: boolean;
  loading: boolean;
  /** The error of the last load. */
  error?: string | undefined;
  onMore: () => void;
  endText?: string;
  /** The number of items. A short list does not show `endText`, because its end is visible anyway. */
  count?: number;
}

/** The minimum number of items with which `endText` is shown. */
const fewItems = 5;

/** A list that calls onMore when its end comes near the viewport. After an error, a button calls it instead. */
export function List({ children, more, loading, error, onMore, endText = '没有更多了', count = fewItems }: ListProps) {
  const end = useRef<HTMLDivElement>(null);
  // The observer is recreated after every render, because new items may not fill the viewport.
  useEffect(() => {
    const element = end.current;
    if (!element || !more || loading || error) return;
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onMore(), {
      rootMargin: '300px',
    });
    watch.observe(element);
    return () => watch.disconnect();
  });

  return (
    <>
      {children}
      <div ref={end} className="mq-list__end mq-center mq-px-16 mq-py-8 mq-faint mq-text-13">
        {loading && <Loading>加载中…</Loading>}
        {!loading && error && (
          <Button kind="text" icon="refresh" onClick={onMore}>
            {error}，点此重试
          </Button>
        )}
        {!loading && !error && !more && count >= fewItems && endText}
      </div>
    </>
  );
}
