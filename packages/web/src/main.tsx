import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createCache } from './data/answers.ts';
import './styles.css';
import { applyTheme } from './ui/theme.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no place for the app.');
applyTheme();
createRoot(root).render(
  <StrictMode>
    <App cache={createCache()} />
  </StrictMode>,
);
