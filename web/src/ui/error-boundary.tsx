import { Component, type ReactNode } from 'react';
import { brokenPages, isLostChunk, reloadOnce } from './lost-chunks';

interface Props {
  /** What is shown instead of the children. */
  error: ReactNode;
  children: ReactNode;
}

/**
 * Shows an error instead of the children if they throw while they render. What is around it stays. A lost chunk also
 * reloads the page.
 */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
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
    return this.state.failed ? this.props.error : this.props.children;
  }
}
