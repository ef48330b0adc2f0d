import type { ExpandedWord } from '../words.ts';

/** The files that a command changes, as far as its words name them: targets of copies, and what is edited, removed or created. */
export function writtenBy(name: string, words: ReadonlyArray<ExpandedWord>): ReadonlyArray<ExpandedWord> {
  return BY_NAME.get(name)?.(words) ?? NOTHING;
}

const NOTHING: ReadonlyArray<ExpandedWord> = [];

type Rule = (words: ReadonlyArray<ExpandedWord>) => ReadonlyArray<ExpandedWord>;

const all: Rule = (words) => words.filter(({ text }) => !text.startsWith('-'));

/** `-t DIR` names the folder first; otherwise the last operand is the target. */
const lastOperand: Rule = (words) => {
  const at = words.findIndex(({ text }) => text === '-t' || text === '--target-directory');
  const folder = at < 0 ? undefined : words[at + 1];
  return folder === undefined ? all(words).slice(-1) : [folder];
};

/** Moving also removes the source. */
const moved: Rule = (words) => all(words);

const edited: Rule = (words) =>
  words.some(({ text }) => /^-[a-zA-Z]*i|^--in-place/.test(text)) ? all(words).slice(-1) : [];

const downloads: Rule = (words) =>
  words.flatMap((word, at) => {
    const joined = /^(?:-[oO]|--output=|--output-document=|--output-file=)(.+)$/.exec(word.text)?.[1];
    if (joined !== undefined && !word.text.startsWith('-O-')) return [{ ...word, text: joined }];
    const next = words[at + 1];
    return /^(?:-[sSLfk]*o|-O|--output|--output-document)$/.test(word.text) &&
      next !== undefined &&
      !next.text.startsWith('-')
      ? [next]
      : [];
  });

/** The target of an archive or a download. */
const into =
  (option: RegExp): Rule =>
  (words) => {
    const at = words.findIndex(({ text }) => option.test(text));
    const folder = at < 0 ? undefined : words[at + 1];
    return folder === undefined ? [] : [folder];
  };

const WRITERS: Readonly<Record<string, Rule>> = {
  awk: edited,
  chattr: all,
  chgrp: all,
  chmod: (words) => all(words).slice(1),
  chown: (words) => all(words).slice(1),
  cp: lastOperand,
  curl: downloads,
  dd: (words) =>
    words.filter(({ text }) => text.startsWith('of=')).map((word) => ({ ...word, text: word.text.slice(3) })),
  ed: all,
  ex: all,
  gawk: edited,
  install: lastOperand,
  ln: lastOperand,
  mkdir: all,
  mv: moved,
  nano: all,
  patch: all,
  perl: edited,
  rm: all,
  rmdir: all,
  rsync: lastOperand,
  scp: lastOperand,
  sed: edited,
  shred: all,
  sponge: all,
  sqlite3: (words) => all(words).slice(0, 1),
  tar: into(/^-C$|^--directory$/),
  tee: all,
  touch: all,
  truncate: all,
  unlink: all,
  unzip: into(/^-d$/),
  vi: all,
  vim: all,
  wget: (words) => [...downloads(words), ...into(/^-P$|^--directory-prefix$/)(words)],
  yq: edited,
};

const BY_NAME: ReadonlyMap<string, Rule> = new Map(Object.entries(WRITERS));
