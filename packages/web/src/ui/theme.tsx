import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';

type Theme = 'system' | 'light' | 'dark';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICON = { system: Monitor, light: Sun, dark: Moon } as const;
const STORED = 'attractor.theme';

export function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  const Icon = ICON[theme];
  const change = () => {
    const next = NEXT[theme];
    localStorage.setItem(STORED, next);
    applyTheme();
    setTheme(next);
  };
  return (
    <Button
      kind="quiet"
      className="px-2"
      onClick={change}
      aria-label={`Colours: ${theme}. Change`}
      title={`Colours: ${theme}`}
    >
      <Icon size={15} aria-hidden />
    </Button>
  );
}

export function applyTheme(): void {
  const theme = storedTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
