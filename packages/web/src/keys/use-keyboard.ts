import { useEffect } from 'react';
import { actFor, beginsAct } from './acts.ts';

/** How long a first letter waits for its second. */
const ROW_MS = 1200;

/** Runs acts by their keys. Single letters are off where somebody writes, and while something stands over the page. */
export function useKeyboard(): void {
  useEffect(() => {
    const row = { keys: '', at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      const name = nameOf(event);
      if (name === null || event.defaultPrevented || event.isComposing) return;
      if (!name.includes('mod+') && isBusy(event.target)) return;
      const before = performance.now() - row.at < ROW_MS ? row.keys : '';
      const keys = before === '' ? name : `${before} ${name}`;
      const act = actFor(keys) ?? actFor(name);
      row.keys = act === null && beginsAct(name) ? name : '';
      row.at = performance.now();
      if (act === null) return;
      event.preventDefault();
      act.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** `j`, `shift+j`, `mod+k`, `Enter`; what shift makes another sign of is that sign. */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string | null {
  if (altKey || key === 'Shift' || key === 'Control' || key === 'Meta') return null;
  const plain = key.length === 1 ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) return `mod+${plain}`;
  return shiftKey && /^[a-z]$/.test(plain) ? `shift+${plain}` : plain;
}

const WRITES = 'input, textarea, select, [contenteditable="true"]';

function isBusy(target: EventTarget | null): boolean {
  if (target instanceof Element && target.closest(`${WRITES}, [role="menu"], [role="tablist"]`) !== null) return true;
  return document.querySelector('dialog[open], [role="menu"]:popover-open') !== null;
}
