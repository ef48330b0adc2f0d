import { useSyncExternalStore } from 'react';
import { keep, listen, readKept, useKept } from './kept.ts';

/** What was written in this window: another one that sends or empties a draft of the same name takes nothing out of an open field. */
const own = new Map<string, string>();

/** What somebody is writing, kept until it is sent: a reload, a lost connection or another answer does not take it. */
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
  return own.get(name) ?? readKept(placeOf(name)) ?? '';
}

export function keepDraft(name: string, text: string): void {
  if (own.size === 0) window.addEventListener('pagehide', leave);
  if (text === '') own.delete(name);
  else own.set(name, text);
  keep(placeOf(name), text === '' ? null : text);
}

export function forgetDraft(name: string): void {
  if (readDraft(name) !== '') keepDraft(name, '');
}

/** A reload finds what stood in the fields, also if another window emptied its place meanwhile. */
function leave(): void {
  for (const [name, text] of own) if (readKept(placeOf(name)) === null) keep(placeOf(name), text);
}

function placeOf(name: string): string {
  return `draft.${name}`;
}
