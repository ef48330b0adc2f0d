import { posix } from 'node:path';
import type { CommandNode, Word } from 'unbash';
import { arityOf } from './reads/find.ts';
import { filteredBy } from './reads/run-on-files.ts';
import { expandWord, type ExpandedWord, type FoundFiles, type PipedNames, type Scope } from './words.ts';

/** The files whose names a pipeline passes on, line by line, to what comes after it; null where that is not known. */
export function pipedNamesOf(members: ReadonlyArray<CommandNode>, scope: Scope): PipedNames | null {
  const [first, ...filters] = members.map((node) => wordsOf(node, scope));
  if (scope.cwd === null || first === undefined || first === null) return null;
  if (!filters.every((words) => words !== null && FILTERS.test(words.map(({ text }) => text).join(' ')))) return null;
  return listed(first, scope.cwd);
}

/** What the shell or xargs makes several words, or other ones, of. */
const SPLITS = /[\s'"\\*?[\]]/;

/**
 * `$(git ls-files)` as a word of its own: the files whose names a command inside lists. The shell splits what is listed at blanks and takes
 * every piece for a glob. Null: it is another word.
 */
export function substitutedNames({ parts }: Word, scope: Scope): FoundFiles | null {
  const [only, ...others] = parts ?? [];
  if (only?.type !== 'CommandExpansion' || others.length > 0 || only.text.startsWith('${')) return null;
  const { commands = [], errors = [] } = only.script ?? {};
  const [statement] = commands;
  if (statement === undefined || commands.length > 1 || errors.length > 0 || statement.background === true) return null;
  const { command } = statement;
  if (command.type !== 'Command' && (command.type !== 'Pipeline' || command.prefixes.length > 0)) return null;
  const names = pipedNamesOf(command.type === 'Command' ? [command] : command.commands, scope);
  if (names === null || names.isNull) return null;
  const { isNull: _lines, ...found } = names;
  return { ...found, splits: found.byGit === undefined ? SPLITS : /[^!-~]|['"\\*?[\]]/ };
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
    const isNull = texts.at(-1) === '-print0' && arityOf(texts.at(-2) ?? '') !== 1;
    if (texts.slice(0, isNull ? -1 : undefined).includes('-print0')) return null;
    // Find writes them before each name, and what reads the list would make several words of them.
    if (!isNull && paths.some((text) => SPLITS.test(text))) return null;
    if (texts.some((text) => /^-(?:exec|ok|printf|ls|fprint|delete)/.test(text))) return null;
    const folders = (paths.length === 0 ? ['.'] : paths).map((path) => posix.resolve(cwd, path));
    return { ...filteredBy(words), folders, dashed: false, isNull };
  }
  if (name?.text === 'git' && texts[0] === 'ls-files') return listedByGit(texts.slice(1), cwd);
  if (name?.text === 'git' && texts[0] === 'grep') return foundByGit(texts.slice(1), cwd);
  if (name?.text === 'git' && texts[0] === 'diff') return changedForGit(texts.slice(1), cwd);
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
  return { folders: [cwd], names: [], onlyFiles: false, dashed: true, isNull, byGit: [words] };
}

const GIT_COMPARES = /^(?:-z|--name-only|--diff-filter=[a-zA-Z]+|--no-renames)$/;

/**
 * `git diff --name-only`: some of the files of the index, by their names from the top of the working tree, or from here where a setting says
 * so. With a commit, or of what is staged, names may be among them that the index no longer knows, and whose files are still there.
 */
function changedForGit(words: ReadonlyArray<string>, cwd: string): PipedNames | null {
  const end = words.indexOf('--');
  const before = words.slice(0, end < 0 ? undefined : end);
  if (!before.includes('--name-only') || !before.every((word) => GIT_COMPARES.test(word))) return null;
  // Of two files that lie outside git compares these, whatever the repository holds.
  if (words.some((word) => word.startsWith('/') || word.split('/').includes('..'))) return null;
  const byGit = [[], ['--full-name', '--', ':/']];
  return { folders: [cwd], names: [], onlyFiles: false, dashed: true, isNull: before.includes('-z'), byGit };
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
