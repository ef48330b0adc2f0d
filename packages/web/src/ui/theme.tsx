import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './button.tsx';

export type Theme = 'system' | 'light' | 'dark';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const ICON = { system: Monitor, light: Sun, dark: Moon } as const;
const STORED = 'attractor.theme';

export function ThemeButton() {
  const [theme, setTheme] = useState(storedTheme);
  const Icon = ICON[theme];
  const change = () => {
    chooseTheme(NEXT[theme]);
    setTheme(NEXT[theme]);
  };
  return (
    <IconButton onClick={change} label={`Colours: ${theme}. Change`}>
      <Icon size={15} aria-hidden />
    </IconButton>
  );
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  applyTheme();
}

export function applyTheme(): void {
  const theme = storedTheme();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
