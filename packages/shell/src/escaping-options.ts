import { awkPrints } from './reads/awk.ts';
import { onlyPrints } from './reads/sed.ts';

/**
 * Whether words go beyond what a rule for their prefix was meant for: an option that makes a reader write or start a program, or a program
 * that starts another. A rule that names the option itself covers it.
 */
export function escapesRule(pattern: string, argv: ReadonlyArray<string>): boolean {
  const [name = '', ...words] = argv;
  if (pattern.trim() === argv.join(' ')) return false;
  if (NEVER_BY_PREFIX.has(name)) return true;
  const options = Object.hasOwn(ESCAPES, name) ? ESCAPES[name] : undefined;
  if (options !== undefined && words.some((word) => options.test(word) && !names(pattern, word))) return true;
  if (name === 'sed')
    return (
      words.some((word) => /[we]/.test(word) && looksLikeScript(word) && !onlyPrints(word)) &&
      !/\bsed \*?$/.test(pattern)
    );
  return (
    /^[gmn]?awk$/.test(name) && words.some((word) => word.includes('{') && !awkPrints(word) && /system|\||>/.test(word))
  );
}

/** Whether some option of it needs a rule that names it. */
export function hasEscapes(name: string): boolean {
  return Object.hasOwn(ESCAPES, name) || NEVER_BY_PREFIX.has(name) || /^[gmn]?awk$/.test(name);
}

/** What they run is in their arguments. */
const NEVER_BY_PREFIX: ReadonlySet<string> = new Set([
  'watch',
  'setsid',
  'ionice',
  'flock',
  'parallel',
  'xargs',
  'eval',
  'env',
]);

const ESCAPES: Readonly<Record<string, RegExp>> = {
  find: /^-(?:exec|execdir|ok|okdir|delete|fprint0?|fprintf|fls)$/,
  fd: /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)/,
  git: /^(?:-c|-C|-c.*=.*|--config-env|--exec-path|--git-dir|--work-tree)(?:=|$)|^--(?:outp|ext-d|textc|open|upload|receive|exec|show-sig|no-ind|filters|tree-filter|extcmd)/,
  rg: /^--(?:pre|hostname-bin|search-zip)(?:=|$)|^-[a-zA-Z]*z/,
  sort: /^-[a-zA-Z]*o|^--(?:output|compress-program|files0-from)/,
  sed: /^-[a-zA-Z]*i|^--in-place|^-f|^--file/,
  tar: /^--(?:checkpoint-action|to-command|use-compress|rsh-command|info-script|new-volume-script)|^-[a-zA-Z]*[IF]/,
  tail: /^-[a-zA-Z]*[fF]$|^--follow/,
  man: /^-[a-zA-Z]*[PH]|^--(?:pager|html)/,
  less: /^\+/,
};

function names(pattern: string, word: string): boolean {
  const option = /^--?[\w-]+/.exec(word)?.[0] ?? word;
  return pattern.split(/[ =]/).includes(option);
}

function looksLikeScript(word: string): boolean {
  return !/^-|^[\w./-]+$/.test(word);
}
