/** Whether a variable set before a command changes neither which program runs nor what it loads, reads or starts. */
export function isHarmlessAssignment(name: string, value: string | null): boolean {
  if (value === null) return false;
  const shape = Object.hasOwn(HARMLESS, name) ? HARMLESS[name] : undefined;
  return shape?.test(value) === true;
}

const WORD = /^[\w.@-]*$/;
const NUMBER = /^\d{0,6}$/;

const HARMLESS: Readonly<Record<string, RegExp>> = {
  CI: WORD,
  CLICOLOR: NUMBER,
  COLUMNS: NUMBER,
  FORCE_COLOR: NUMBER,
  LANG: WORD,
  LC_ALL: WORD,
  LC_COLLATE: WORD,
  LC_CTYPE: WORD,
  LC_MESSAGES: WORD,
  LC_NUMERIC: WORD,
  LC_TIME: WORD,
  LINES: NUMBER,
  NO_COLOR: WORD,
  NODE_ENV: WORD,
  TERM: /^(?:dumb|xterm(?:-256color)?)?$/,
  TZ: /^[A-Za-z]*(?:\/[A-Za-z_]+)?[+-]?\d{0,2}$/,
};

export function isHarmlessName(name: string): boolean {
  return Object.hasOwn(HARMLESS, name);
}
