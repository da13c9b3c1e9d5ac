// Says so when a page cannot be loaded, or fails; everything around it goes on working.
import { Component, useEffect, useRef, type ReactNode } from 'react';
import { liveState } from '../client/socket';
import { useStore } from '../client/store';
import { Notice } from '../ui/Notice';

/** What could not be loaded without a server can be with it. */
function LoadAgain() {
  const open = useStore(liveState) === 'open';
  const first = useRef(open);
  useEffect(() => {
    if (open && !first.current) location.reload();
    first.current = open;
  }, [open]);
  return null;
}

export class Broken extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice>
        <LoadAgain />
        This page could not be shown.{' '}
        <button type="button" className="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </Notice>
    );
  }
}
