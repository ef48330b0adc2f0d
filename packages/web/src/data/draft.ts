import { useSyncExternalStore } from 'react';
import { keep, listen, readKept, useKept } from './kept.ts';

/**
 * What somebody is writing, kept until it is sent: a reload, a lost connection or another answer does not take it. What was written in this
 * window stays in it, whatever another one writes, sends or empties under the same name; a new window begins with what was written last.
 */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const text = useSyncExternalStore(listen, () => readDraft(name));
  return [text, (next) => keepDraft(name, next)];
}

/** What all windows of this browser add to, such as marks. */
export function useSharedDraft(name: string): readonly [string, (text: string) => void] {
  const [text, set] = useKept(placeOf(name));
  return [text ?? '', (next) => set(next === '' ? null : next)];
}

export function readDraft(name: string): string {
  const place = placeOf(name);
  return sessionStorage.getItem(place) ?? readKept(place) ?? '';
}

export function keepDraft(name: string, text: string): void {
  const place = placeOf(name);
  window.addEventListener('pagehide', leave);
  if (text === '') sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, text);
  keep(place, text === '' ? null : text);
}

export function forgetDraft(name: string): void {
  if (readDraft(name) !== '') keepDraft(name, '');
}

/** Another window finds what stood in the fields of one that is closed, also if it emptied their place meanwhile. */
function leave(): void {
  for (const place of Object.keys(sessionStorage))
    if (readKept(place) === null) keep(place, sessionStorage.getItem(place));
}

function placeOf(name: string): string {
  return `draft.${name}`;
}
