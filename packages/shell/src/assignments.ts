/** Whether a variable set before a command affects neither which program runs nor what it loads, reads or starts. */
export function isHarmlessAssignment(name: string, value: string | null): boolean {
  if (value === null) return false;
  const shape = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : undefined;
  return shape?.test(value) === true;
}

const WORD = /^[\w.@-]*$/;
/** In other encodings a backslash or a quote can be half of a letter, and the rest would be parsed differently. */
const LOCALE = /^(?:|C|POSIX|(?:C|[a-z]{2}_[A-Z]{2})\.(?:UTF-8|utf8))$/;
const NUMBER = /^\d{0,6}$/;

const HARMLESS: Readonly<Record<string, RegExp>> = {
  CI: WORD,
  CLICOLOR: NUMBER,
  COLUMNS: NUMBER,
  FORCE_COLOR: NUMBER,
  LANG: LOCALE,
  LC_ALL: LOCALE,
  LC_COLLATE: LOCALE,
  LC_CTYPE: LOCALE,
  LC_MESSAGES: LOCALE,
  LC_NUMERIC: LOCALE,
  LC_TIME: LOCALE,
  LINES: NUMBER,
  NO_COLOR: WORD,
  NODE_ENV: WORD,
  TERM: /^(?:dumb|xterm(?:-256color)?)?$/,
  TZ: /^[A-Za-z]*(?:\/[A-Za-z_]+)?[+-]?\d{0,2}$/,
};

export function isHarmlessName(name: string): boolean {
  return Object.hasOwn(HARMLESS, name);
}
