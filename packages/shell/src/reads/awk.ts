import {
  judgeRead,
  parseArguments,
  type Call,
  type ParsedArguments,
  type Reader,
  type ReadVerdict,
} from './arguments.ts';
import { asksForMuch } from './print-formats.ts';

const AWK: Reader = { shortValue: 'Fv', operands: 'textThenPaths', optionsFirst: true, stdin: [], check: setsOwnNames };

/** awk that prints: only a field separator and its own variables as options, and a program of the words below. */
export function awkReads(call: Call): ReadVerdict {
  const given = parseArguments(AWK, call.words);
  if ('refused' in given) return given;
  const [program, ...operands] = given.operands;
  if (program === undefined || program.text.startsWith('-') || !awkPrints(program.text) || asksForMuch(program.text))
    return { refused: 'the awk program is not known to only print' };
  return operands.some(({ text }) => text.includes('='))
    ? { refused: 'awk takes name=value as an assignment' }
    : judgeRead(AWK, { ...call, fed: call.fed || ONLY_BEGIN.test(program.text) });
}

/** Capital names belong to awk. */
function setsOwnNames({ options }: ParsedArguments): string | null {
  const values = options.get('v') ?? [];
  const own = values.every((value) => /^[a-z_][a-z\d_]*=[^\\\n]*$/.test(value) && !isWord(value.replace(/=.*/s, '')));
  return own ? null : 'awk obeys the variable that is set';
}

/** A BEGIN block needs no input. */
const ONLY_BEGIN = /^\s*BEGIN\s*\{[^{}]*\}\s*$/;

/** The program is text; an unknown pipe, redirection, call or loop makes it unknown. */
export function awkPrints(program: string): boolean {
  let depth = 0;
  let brackets = 0;
  let previous = '';
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < program.length) {
    const at = TOKEN.lastIndex;
    if (program.charAt(at) === '/' && !divides(previous)) {
      const regex = startsRegex(previous) ? REGEX.exec(program.slice(at)) : null;
      if (regex === null) return false;
      TOKEN.lastIndex = at + regex[0].length;
      previous = 'a regex';
      continue;
    }
    const token = TOKEN.exec(program)?.[0];
    if (token === undefined) return false;
    if (token.trim() === '') {
      if (token.includes('\n')) previous = ';';
      continue;
    }
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (token === '(') brackets += 1;
    if (token === ')') brackets -= 1;
    // A brace inside brackets does not belong to awk's syntax: the contents of the brackets would be counted wrong.
    if (depth < 0 || brackets < 0 || (brackets > 0 && /[{};]/.test(token))) return false;
    const compares = depth === 0 || brackets > 0;
    const counted = token === 'for' ? countingLoop(program, TOKEN.lastIndex) : 0;
    if (counted > 0) {
      TOKEN.lastIndex += counted;
      previous = ';';
      continue;
    }
    if (!fits(token, { compares, rest: program.slice(TOKEN.lastIndex), previous })) return false;
    previous = token;
  }
  return depth === 0 && brackets === 0;
}

/** The length of `(i = 1; i <= NF; i++)`, where nothing else of the program changes `i`; 0 for every other loop. */
function countingLoop(program: string, at: number): number {
  const [header = '', name = ''] = COUNTING.exec(program.slice(at)) ?? [];
  const changes =
    program.match(new RegExp(`\\b${name}\\s*(?:[-+*/%]?=(?!=)|\\+\\+|--)|(?:\\+\\+|--)\\s*${name}\\b`, 'g')) ?? [];
  return header !== '' && changes.length === 2 ? header.length : 0;
}

const COUNTING =
  /^\s*\(\s*([a-z_]\w*)\s*=\s*\d+\s*;\s*\1\s*<=?\s*(?:NF|NR|\d{1,6}|[a-z_]\w*)\s*;\s*(?:\1\s*(?:\+\+|\+=\s*[1-9]\d*)|\+\+\s*\1)\s*\)/;

const TOKEN =
  /[ \t\n]+|"(?:[^"\\\n]|\\[^\n])*"|\d+(?:\.\d+)?|[A-Za-z_]\w*|&&|\|\||[<>=!]=|!~|\+\+|--|[+*/%-]=|[{}()[\];,$+*/%!~<>=?:-]/y;
/** A bracket expression ends at the first closing bracket unless it begins with one: in `[^]/]` the slash belongs to the set. */
const REGEX = /^\/(?:[^/\\\n[]|\\[^\n]|\[(?!\^?\])(?:\[:[a-z]+:\]|[^\][/\\\n])+\])+\//;

/** A slash is a division after a value, a regular expression where a value may begin; elsewhere awks differ. */
function divides(previous: string): boolean {
  return previous === ']' || (/^\w+$/.test(previous) && !WORDS.has(previous) && !FUNCTIONS.has(previous));
}

function startsRegex(previous: string): boolean {
  return previous === '' || WORDS.has(previous) || /^(?:[{};(,!~]|&&|\|\||!~)$/.test(previous);
}

const FUNCTIONS: ReadonlySet<string> = new Set(
  'length substr index split sub gsub match sprintf tolower toupper int sqrt'.split(' '),
);
const WORDS: ReadonlySet<string> = new Set('BEGIN END print printf next exit if else in delete'.split(' '));
const NEVER: ReadonlySet<string> = new Set(
  'system getline close fflush ENVIRON PROCINFO SYMTAB FUNCTAB ARGV ARGC ARGIND BINMODE function func while for do nextfile return switch case default break continue strftime systime and eval include load namespace srand rand'.split(
    ' ',
  ),
);

function isWord(name: string): boolean {
  return FUNCTIONS.has(name) || WORDS.has(name) || NEVER.has(name);
}

/** `for (name in array)` is the only loop that certainly ends. */
const FOR_IN = /^\s*\(\s*[A-Za-z_]\w*\s+in\s+[A-Za-z_]\w*\s*\)/;

/** Outside an action, and inside brackets, `>` compares; elsewhere it may open a file. */
function fits(
  token: string,
  { compares, rest, previous }: { readonly compares: boolean; readonly rest: string; readonly previous: string },
): boolean {
  if (token === '>' || token === '<') return compares && previous !== '>' && previous !== '<';
  if (token === ':' && previous === ':') return false;
  if (previous === '$' && /^\d{5}/.test(token)) return false;
  if (!/^[A-Za-z_]/.test(token)) return true;
  if (token === 'for') return FOR_IN.test(rest);
  if (NEVER.has(token)) return false;
  return WORDS.has(token) || FUNCTIONS.has(token) || !/^\s*\(/.test(rest);
}
