import { keep, readKept, useKept } from './kept.ts';

/** What somebody is writing, kept until it is sent: a reload, a lost connection or another answer does not take it. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const [text, set] = useKept(`draft.${name}`);
  return [text ?? '', (next) => set(next === '' ? null : next)];
}

export function readDraft(name: string): string {
  return readKept(`draft.${name}`) ?? '';
}

export function keepDraft(name: string, text: string): void {
  keep(`draft.${name}`, text);
}

export function forgetDraft(name: string): void {
  if (readDraft(name) !== '') keep(`draft.${name}`, null);
}
