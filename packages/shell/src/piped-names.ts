import { posix } from 'node:path';
import type { CommandNode } from 'unbash';
import { filteredBy } from './reads/run-on-files.ts';
import { expandWord, type PipedNames, type Scope, type ExpandedWord } from './words.ts';

/** The files whose names a pipeline passes on, line by line, to what comes after it; null where that is not known. */
export function pipedNamesOf(members: ReadonlyArray<CommandNode>, scope: Scope): PipedNames | null {
  const [first, ...filters] = members.map((node) => wordsOf(node, scope));
  if (scope.cwd === null || first === undefined || first === null) return null;
  if (!filters.every((words) => words !== null && FILTERS.test(words.map(({ text }) => text).join(' ')))) return null;
  return listed(first, scope.cwd);
}

/** They let whole lines through and add nothing. */
const FILTERS = /^(?:sort(?: -[urn]+)?|uniq|(?:head|tail)(?: -n? ?\d+)?|grep(?: -[vEFiw]+)*(?: -e)? [^-\s]\S*)$/;

function wordsOf(node: CommandNode, scope: Scope): ReadonlyArray<ExpandedWord> | null {
  if (node.type !== 'Command' || node.name === undefined || node.prefix.length > 0) return null;
  const words = [node.name, ...node.args.flatMap((word) => (word.type === 'Word' ? [word] : []))];
  const expanded = words.flatMap((word) => expandWord(word, scope));
  return node.redirects.length > 0 || expanded.some(({ known, glob }) => !known || glob) ? null : expanded;
}

function listed([name, ...words]: ReadonlyArray<ExpandedWord>, cwd: string): PipedNames | null {
  const texts = words.map(({ text }) => text);
  if (name?.text === 'find') {
    const end = texts.findIndex((text) => /^[-(!,]/.test(text));
    const paths = texts.slice(0, end < 0 ? undefined : end);
    // Behind a link the folder above is another one than its words say.
    if (paths.some((text) => text.split('/').includes('..'))) return null;
    if (texts.some((text) => /^-(?:exec|ok|printf|ls|fprint|delete)/.test(text))) return null;
    const folders = (paths.length === 0 ? ['.'] : paths).map((path) => posix.resolve(cwd, path));
    return { ...filteredBy(words), folders, dashed: false, isNull: texts.includes('-print0') };
  }
  if (name?.text === 'git' && texts[0] === 'ls-files') return listedByGit(texts.slice(1), cwd);
  if (name?.text === 'git' && texts[0] === 'grep') return foundByGit(texts.slice(1), cwd);
  if (name?.text !== 'ls' || !texts.every((text) => text === '-1')) return null;
  return { folders: [cwd], names: [], onlyFiles: false, dashed: true, isNull: false };
}

/** Names alone, one for each file. */
const GIT_LISTS = /^(?:-[zco]|--cached|--others|--exclude-standard)$/;

function listedByGit(words: ReadonlyArray<string>, cwd: string): PipedNames | null {
  const end = words.indexOf('--');
  const options = words.slice(0, end < 0 ? undefined : end).filter((word) => word.startsWith('-'));
  if (!options.every((option) => GIT_LISTS.test(option))) return null;
  const isNull = options.includes('-z');
  return { folders: [cwd], names: [], onlyFiles: false, dashed: true, isNull, byGit: words };
}

const GIT_FINDS = /^(?:-[liwvaIEFGP]+|--files-with-matches|--name-only)$/;

/** `git grep -l words`: some of the files that git lists. More words might name a commit, whose files need not be those that are there. */
function foundByGit(words: ReadonlyArray<string>, cwd: string): PipedNames | null {
  const end = words.indexOf('--');
  const before = words.slice(0, end < 0 ? undefined : end);
  const options = before.filter((word) => word.startsWith('-'));
  const isNames = options.some((option) => /^-[^-]*l|^--(?:files-with-matches|name-only)$/.test(option));
  if (!isNames || before.length !== options.length + 1 || !options.every((option) => GIT_FINDS.test(option)))
    return null;
  return listedByGit(end < 0 ? [] : words.slice(end), cwd);
}
