import type { Draft } from '../editor/draft.ts';

/** What of a draft can be completed: the word that the cursor is in, and where it begins. */
export type Completable = {
  readonly kind: 'file' | 'command' | 'argument';
  readonly typed: string;
  readonly from: number;
  /** For an argument: whose. */
  readonly command?: string;
};

/** `@path` anywhere, `/name` at the beginning, and what follows a name. Null: there is nothing to complete. */
export function completableIn({ text, cursor }: Draft): Completable | null {
  const before = text.slice(0, cursor);
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command !== null) return { kind: 'command', typed: command[1] ?? '', from: 1 };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (file !== null) return { kind: 'file', typed: file[1] ?? '', from: cursor - (file[1] ?? '').length };
  const argument = /^\/(\S+) +(\S*)$/.exec(before);
  if (argument === null) return null;
  const [, name = '', typed = ''] = argument;
  return { kind: 'argument', typed, from: cursor - typed.length, command: name };
}

/** `isWhole`: with Enter it is said at once, since nothing has to follow it. */
export type Candidate = { readonly text: string; readonly detail?: string; readonly isWhole?: boolean };

/**
 * The draft with a candidate in place of what was typed. A folder can be gone into; anything else is followed by a blank. A file with a
 * blank in its name is quoted, so that it stays one word.
 */
export function completed({ text, cursor }: Draft, { kind, from }: Completable, { text: chosen }: Candidate): Draft {
  const word = kind === 'file' && /\s/.test(chosen) ? `"${chosen}"` : chosen;
  const end = chosen.endsWith('/') && word === chosen ? chosen : `${word} `;
  const rest = text.slice(cursor).replace(/^ /, '');
  return { text: text.slice(0, from) + end + rest, cursor: from + end.length };
}
