// Starts the page: first who is signed in, then what is drawn.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { resume } from './api/session';
import { App } from './App';
import './page.css';

resume();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
