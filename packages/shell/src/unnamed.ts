import { isWrapper } from './wrappers.ts';
import type { ExpandedWord } from './words.ts';

type Run = { readonly via: string | null; readonly fed: boolean; readonly assigns: ReadonlyArray<string> };

/** Whether these words leave open which program runs: it is made of expansions, comes from a list of names, or is read from elsewhere. */
export function isUnnamed(all: ReadonlyArray<ExpandedWord>, { via, fed, assigns }: Run): boolean {
  const name = all[0];
  if (name === undefined) return false;
  if (!name.known || name.glob) return true;
  const base = name.text.slice(name.text.lastIndexOf('/') + 1);
  if (via !== null && FILLS_IN.test(via) && !/^[\w./+-]+$/.test(name.text)) return true;
  if (isWrapper(base) || base === 'source' || base === '.') return all.some(({ known }) => !known);
  if (base === 'git') return assigns.some((one) => one.startsWith('GIT_CONFIG')) || isGivenCommands(all);
  if (!fed || !SHELL.test(base)) return false;
  return all.every(({ text }, at) => at === 0 || (text.startsWith('-') && !/^-\w*c$/.test(text)));
}

/** They put what they find, or are given, into the words of the command: `find -exec {}`, `xargs -I% %`. */
const FILLS_IN = /(?:^| )(?:xargs|parallel|find|fd|fdfind)$/;
/** Settings by which a word of git's own becomes another command: `git -c alias.p=push p`. */
const MAKES_COMMANDS = /^(?:--config-env=)?(?:alias|include|includeif)\./i;
const GIVES_SETTING = /^(?:-c|--config-env)$/;
const SHELL = /^(?:ba|z|da|k|mk|a|fi)?sh$/;

function isGivenCommands(all: ReadonlyArray<ExpandedWord>): boolean {
  return all.some(
    ({ text }, at) =>
      MAKES_COMMANDS.test(text) && (text.startsWith('--') || GIVES_SETTING.test(all[at - 1]?.text ?? '')),
  );
}
