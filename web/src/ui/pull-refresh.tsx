import './pull-refresh.css';
import { type ReactNode, type TouchEvent, useRef, useState } from 'react';
import { Loading } from './loading';

const enough = 64;

/**
 * Reloads the content when the page is pulled down at its top. It is a shortcut: every page can be reloaded in another
 * way too.
 */
export function PullRefresh({ onRefresh, children }: { onRefresh: () => Promise<unknown>; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const start = useRef<number | undefined>(undefined);
  const pulled = useRef(0);
  const [state, setState] = useState<'idle' | 'pull' | 'release' | 'loading'>('idle');

  function move(by: number) {
    pulled.current = by;
    if (box.current) box.current.style.transform = by > 0 ? `translateY(${by}px)` : '';
  }

  function onTouchStart(event: TouchEvent) {
    start.current = window.scrollY <= 0 && state === 'idle' ? event.touches[0]?.clientY : undefined;
  }

  function onTouchMove(event: TouchEvent) {
    const touch = event.touches[0];
    if (start.current === undefined || !touch) return;
    const by = Math.max(0, (touch.clientY - start.current) * 0.45);
    if (window.scrollY > 0) return;
    move(Math.min(by, 96));
    setState(by === 0 ? 'idle' : by >= enough ? 'release' : 'pull');
  }

  async function onTouchEnd() {
    if (start.current === undefined) return;
    start.current = undefined;
    if (pulled.current < enough) {
      move(0);
      setState('idle');
      return;
    }
    move(44);
    setState('loading');
    try {
      await onRefresh();
    } finally {
      move(0);
      setState('idle');
    }
  }

  return (
    <div onTouchStart={onTouchStart} onTouchMove={onTouchMove} onTouchEnd={onTouchEnd} onTouchCancel={onTouchEnd}>
      <div ref={box} className={state === 'idle' || state === 'loading' ? 'mq-pull mq-pull__moving' : 'mq-pull'}>
        {state !== 'idle' && (
          <div className="mq-pull__hint">
            {state === 'loading' ? <Loading>刷新中…</Loading> : state === 'release' ? '松开刷新' : '下拉刷新'}
          </div>
        )}
        {children}
      </div>
    </div>
  );
}
