import { isWrapper } from './wrappers.ts';
import type { ExpandedWord } from './words.ts';

type Run = { readonly via: string | null; readonly fed: boolean };

/** Whether these words leave open which program runs: it is made of expansions, comes from a list of names, or is read from elsewhere. */
export function isUnnamed(all: ReadonlyArray<ExpandedWord>, { via, fed }: Run): boolean {
  const name = all[0];
  if (name === undefined) return false;
  if (!name.known || name.glob) return true;
  const base = name.text.slice(name.text.lastIndexOf('/') + 1);
  if (via !== null && FILLS_IN.test(via) && !/^[\w./+-]+$/.test(name.text)) return true;
  if (isWrapper(base) || base === 'source' || base === '.') return all.some(({ known }) => !known);
  if (!fed || !SHELL.test(base)) return false;
  return all.every(({ text }, at) => at === 0 || (text.startsWith('-') && !/^-\w*c$/.test(text)));
}

/** They put what they find, or are given, into the words of the command: `find -exec {}`, `xargs -I% %`. */
const FILLS_IN = /(?:^| )(?:xargs|parallel|find|fd|fdfind)$/;
const SHELL = /^(?:ba|z|da|k|mk|a|fi)?sh$/;
