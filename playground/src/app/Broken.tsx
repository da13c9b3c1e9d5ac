// Says so when a page cannot be loaded, or fails; everything around it goes on working.
import { Component, type ReactNode } from 'react';
import { Notice } from '../ui/Notice';

export class Broken extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Notice>
        This page could not be shown.{' '}
        <button type="button" className="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </Notice>
    );
  }
}
