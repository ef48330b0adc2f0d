/** What a sed script does beyond printing, by the manual of GNU sed; null if it only prints. */
export function sedDoes(script: string): string | null {
  let rest = script;
  for (;;) {
    rest = rest.replace(/^[\s;}]+/, '').replace(SED_ADDRESS, '');
    if (rest === '') return null;
    const name = rest.charAt(0);
    const end = Object.hasOwn(SED_ENDS, name) ? SED_ENDS[name]?.(rest) : undefined;
    if (end === undefined || end === null) return `sed ${rest}`;
    rest = end;
  }
}

/** A regular expression up to a slash: in a bracket expression the slash belongs to the set, and so does a first `]`. */
const UP_TO_SLASH = String.raw`(?:\\[^]|\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]|[^/\\[])*/`;
const SED_ONE = String.raw`(?:\d+(?:~\d+)?|\$|[+~]\d+|/${UP_TO_SLASH}[IM]*)`;
const SED_ADDRESS = new RegExp(String.raw`^(?:${SED_ONE}(?:\s*,\s*${SED_ONE})?)?\s*!?\s*`);

/** What follows a command that only prints; null if this one does more. */
const SED_ENDS: Readonly<Record<string, (text: string) => string | null>> = {
  ...Object.fromEntries('pdDPgGhHxNn=zF{#'.split('').map((name) => [name, (text: string) => text.slice(1)])),
  ...Object.fromEntries(
    'qQl'.split('').map((name) => [name, (text: string) => text.slice(1).replace(/^[ \t]*\d*/, '')]),
  ),
  '#': (text) => text.replace(/^[^\n]*/, ''),
  s: (text) => {
    const regex = sedPiece(text, 2, { delimiter: text.charAt(1), sets: true });
    const replaced = sedPiece(text, regex, { delimiter: text.charAt(1), sets: false });
    const flags = /^[gpiImM\d]*/.exec(text.slice(replaced))?.[0] ?? '';
    return isEnd(text.slice(replaced + flags.length)) ? text.slice(replaced + flags.length) : null;
  },
  y: (text) => {
    const from = sedPiece(text, 2, { delimiter: text.charAt(1), sets: false });
    const to = sedPiece(text, from, { delimiter: text.charAt(1), sets: false });
    return isEnd(text.slice(to)) ? text.slice(to) : null;
  },
};

function isEnd(text: string): boolean {
  return /^[ \t]*(?:[;}\n#]|$)/.test(text);
}

/** Where the piece that starts at `from` ends, after its delimiter. */
function sedPiece(
  text: string,
  from: number,
  { delimiter, sets }: { readonly delimiter: string; readonly sets: boolean },
): number {
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (character === delimiter) return at + 1;
    else if (sets && character === '[') at += (SED_SET.exec(text.slice(at))?.[0].length ?? 1) - 1;
  }
  return text.length;
}

const SED_SET = /^\[\^?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/;

/** An awk program without its strings, regular expressions and comments, which run nothing. */
export function awkCode(program: string): string {
  let code = '';
  for (let at = 0; at < program.length;) {
    const rest = program.slice(at);
    const literal = AWK_TEXT.exec(rest)?.[0] ?? (takesRegex(code) ? AWK_REGEX.exec(rest)?.[0] : undefined);
    if (literal === undefined) code += rest.charAt(0);
    else if (!literal.startsWith('#')) code += ' "" ';
    at += literal?.length ?? 1;
  }
  return code;
}

const AWK_TEXT = /^(?:"(?:\\[^]|[^"\\\n])*"|#[^\n]*)/;
const AWK_REGEX = new RegExp(String.raw`^/${UP_TO_SLASH}`);

/** After a value a slash divides; after a keyword, an operator or nothing a regular expression begins. */
function takesRegex(code: string): boolean {
  return (
    !/(?:[\w)\]$]|"")[ \t]*$/.test(code) ||
    /\b(?:print|printf|return|in|if|else|do|case|exit|BEGIN|END)[ \t]*$/.test(code)
  );
}

/** A jq filter without its strings, of which only `\(…)` runs, and without names that select a field: `{id, name}`. */
export function jqCode(filter: string): string {
  let code = filter;
  for (let before = ''; before !== code;) {
    before = code;
    code = code.replaceAll(/"(?:[^"\\]|\\[^(])*"/g, ' ').replaceAll(/("(?:[^"\\]|\\[^(])*)\\\(([^()"]*)\)/g, ' $2 $1');
  }
  return code.replaceAll(/\{[^{}()[\]]*\}/g, (made) => made.replaceAll(/(?<=[{,])\s*\w+\s*(?=[,}])/g, ''));
}
