import { Component, type ReactNode } from 'react';
import { paths } from '../shop/paths';
import { Button } from '../ui/button';
import { ErrorState } from '../ui/empty';

/** A page that broke says so and can be tried again; the rest of the app stays. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    // A chunk that cannot be had is most often a new release: loading anew fetches the new names.
    return (
      <ErrorState message="页面出错了，请重试" onRetry={() => window.location.reload()}>
        {/* Loaded anew too: what broke may be more than this page. */}
        <Button kind="text" onClick={() => window.location.assign(paths.home())}>
          回到首页
        </Button>
      </ErrorState>
    );
  }
}
