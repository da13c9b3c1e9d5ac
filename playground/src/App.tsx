// The page: the header at once, the console when its editor has arrived.
import { Component, lazy, Suspense, type ReactNode } from 'react';
import { Header } from './header/Header';

const Console = lazy(() => import('./console/Console'));

export function App() {
  return (
    <>
      <Header />
      <main className="main" aria-label="Console">
        <Fallback>
          <Suspense fallback={<p className="centre">Loading the editor…</p>}>
            <Console />
          </Suspense>
        </Fallback>
      </main>
    </>
  );
}

/** Says so when the editor cannot be loaded, or fails; the header goes on working. */
class Fallback extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <p className="centre" role="alert">
        The editor could not be loaded. <button onClick={() => location.reload()}>Load the page again</button>
      </p>
    );
  }
}
