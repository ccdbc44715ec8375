import './list.css';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
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
  /**
   * The number of items that are shown. When it changes, onMore may be called again, because the items may not fill the
   * viewport. A short list does not show `endText`, because its end is visible anyway.
   */
  count: number;
}

/** The minimum number of items with which `endText` is shown. */
const fewItems = 5;

/** A list that calls onMore when its end comes near the viewport. After an error, a button calls it instead. */
export function List({ children, more, loading, error, onMore, endText = '没有更多了', count }: ListProps) {
  const end = useRef<HTMLDivElement>(null);
  const onNear = useEffectEvent(onMore);
  const waits = more && !loading && !error;
  // An observer reports only changes, and the end may be near before and after a load. So each load and each change of
  // `count` needs another observer, which reports at once if the items do not fill the viewport.
  // biome-ignore lint/correctness/useExhaustiveDependencies(count): see above
  useEffect(() => {
    const element = end.current;
    if (!element || !waits) return;
    const watch = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && onNear(), {
      rootMargin: '300px',
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [waits, count]);

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
