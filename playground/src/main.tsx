// Starts the page: first who is signed in, then what is drawn.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { applyTheme } from './app/theme';
import { resume } from './client/session';
import './ui/tokens.css';
import './ui/ui.css';
import './ui/overlays.css';
import './ui/charts.css';

applyTheme();
resume();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
