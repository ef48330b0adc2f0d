import { readCommit } from './files-of-git.ts';

export type Commit = { readonly hash: string; readonly author: string; readonly message: string };

/** An agent's commits are few and young; what is older is packed. */
const LONGEST = 32;

export type CommitRange = { readonly from: string; readonly to: string };

/**
 * The commits after one up to another, oldest first, where they stand in one line and lie by themselves among git's files. Null: the files
 * do not say, and git must be asked.
 */
export function commitsInFiles(gitFolder: string, { from, to }: CommitRange): ReadonlyArray<Commit> | null {
  if (from === to) return [];
  const found: Commit[] = [];
  for (let hash = to; found.length < LONGEST;) {
    const read = readHeader(readCommit(gitFolder, hash) ?? '');
    if (read === null) return null;
    found.unshift({ hash, author: read.author, message: read.subject });
    if (read.parent === from) return found;
    hash = read.parent;
  }
  return null;
}

/** One parent, and no other encoding. The subject is the first paragraph, as one line. */
const COMMIT =
  /^commit \d+\0tree \w+\nparent (?<parent>\w+)\nauthor (?<author>[^\n<]*) <[^\n]*\n(?:(?!parent |encoding )[^\n]+\n)*\n\n*(?<message>[^]*)$/;

function readHeader(
  commit: string,
): { readonly parent: string; readonly author: string; readonly subject: string } | null {
  const { parent, author, message } = COMMIT.exec(commit)?.groups ?? {};
  if (parent === undefined || author === undefined || message === undefined) return null;
  // What git takes for space; the bytes of a letter are none.
  const lines = message.split('\n').map((line) => line.replace(/[ \t\r]+$/, ''));
  const begin = lines.findIndex((line) => line !== '');
  const end = lines.indexOf('', begin);
  const subject = begin === -1 ? '' : lines.slice(begin, end === -1 ? lines.length : end).join(' ');
  return { parent, author: inUtf8(author), subject: inUtf8(subject) };
}

/** The file was read byte by byte. */
function inUtf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}
