import { Component, type ReactNode } from 'react';
import { paths } from '../shop/paths';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/empty';
import { brokenPages, isLostChunk, reloadOnce } from './lost-chunks';

/** Shows an error with a retry button if the page throws while it renders. The tab bar and the notices stay. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(failure: unknown) {
    if (!isLostChunk(failure)) return;
    brokenPages.add(this);
    void reloadOnce();
  }

  override componentWillUnmount() {
    brokenPages.delete(this);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    // A full reload, because a chunk that failed to load may belong to an earlier release.
    return (
      <ErrorState message="页面出错了，请重试" onRetry={() => window.location.reload()}>
        {/* A full load, because the error may concern more than this page. */}
        <Button kind="text" onClick={() => window.location.assign(paths.home())}>
          回到首页
        </Button>
      </ErrorState>
    );
  }
}
