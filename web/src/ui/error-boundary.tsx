import { Component, type ReactNode } from 'react';
import { brokenPages, isLostChunk, reloadOnce } from './lost-chunks';

interface Props {
  /** Renders the error. `lost` is true if a chunk could not be loaded. */
  error: (lost: boolean) => ReactNode;
  children: ReactNode;
}

/**
 * Shows an error instead of the children if they throw while rendering. The content around them stays. If the cause is
 * a chunk that could not be loaded, it also reloads the page, once, if the server can be reached.
 */
export class ErrorBoundary extends Component<Props, { failed: boolean; lost: boolean }> {
  override state = { failed: false, lost: false };

  static getDerivedStateFromError(failure: unknown) {
    return { failed: true, lost: isLostChunk(failure) };
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
    return this.state.failed ? this.props.error(this.state.lost) : this.props.children;
  }
}
