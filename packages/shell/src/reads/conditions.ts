import { placeInside } from '../paths.ts';
import type { Call, ReadVerdict } from './arguments.ts';

const FILE_TESTS: ReadonlySet<string> = new Set(
  '-a -b -c -d -e -f -g -h -k -p -r -s -u -w -x -G -L -N -O -S'.split(' '),
);
const TEXT_TESTS: ReadonlySet<string> = new Set(['-n', '-z', '-t']);
const COMPARISONS: ReadonlySet<string> = new Set(['=', '==', '!=']);
const AGES: ReadonlySet<string> = new Set(['-nt', '-ot', '-ef']);
const NUMERIC: ReadonlySet<string> = new Set('-eq -ne -lt -le -gt -ge'.split(' '));

/** `test` and `[` in the forms that every shell parses alike; `-v` and `-R` evaluate their name. */
export function testReads(call: Call): ReadVerdict {
  const words = call.name === '[' ? closed(call.words) : call.words;
  if (words === null) return { refused: '[ is not closed by ]' };
  const [first, ...others] = words;
  const rest = first?.text === '!' ? others : words;
  const refused = { refused: 'a word of the test is only known when it runs' };
  if (!rest.every(isText)) return refused;
  if (rest.some(({ known }) => !known)) return isTextTest(rest) ? { reads: [] } : refused;
  const [left, middle, right] = rest;
  if (left === undefined || rest.length > 3) return { refused: 'a test of this form is not known' };
  if (rest.length === 1)
    return left.text.startsWith('-') ? { refused: `${left.text} has nothing to test` } : { reads: [] };
  if (rest.length === 3 && AGES.has(middle?.text ?? ''))
    return placeAll(call, [left, ...(right === undefined ? [] : [right])]);
  if (rest.length === 3)
    return middle !== undefined && right !== undefined && compares(left.text, middle.text, right.text)
      ? { reads: [] }
      : { refused: `${middle?.text} is not a known comparison` };
  if (TEXT_TESTS.has(left.text)) return { reads: [] };
  if (!FILE_TESTS.has(left.text) || middle === undefined) return { refused: `${left.text} is not a known test` };
  return placeAll(call, [middle]);
}

/** One word, whatever it holds; of several only such that no test takes for its own. */
function isText({ known, glob, inert, many, shape }: Call['words'][number]): boolean {
  if (known) return !glob;
  return inert === true && shape !== undefined && shape !== 'pipe' && (shape !== 'text' || many !== true);
}

/** Tests that are known by their operator, whatever text they are given: bash takes the middle of three words for it first. */
function isTextTest([left, middle, right, more]: Call['words']): boolean {
  if (more !== undefined) return false;
  if (middle === undefined) return true;
  if (right === undefined) return left?.known === true && /^-[nz]$/.test(left.text);
  if (!middle.known) return false;
  const isNumber = [left, right].every((side) => side?.shape === 'tame' || /^-?\d+$/.test(side?.text ?? ''));
  return COMPARISONS.has(middle.text) || (NUMERIC.has(middle.text) && isNumber);
}

/** Only whether they exist, and their age: the contents may be secret. */
function placeAll({ cwds, pathContext }: Call, words: Call['words']): ReadVerdict {
  const places = cwds.flatMap((cwd) => words.map((word) => placeInside(word, cwd, pathContext)));
  return places.find((place) => 'refused' in place) ?? { reads: [] };
}

/** Some shells evaluate what is compared as a number, and an index in it can run a command. */
function compares(left: string, operator: string, right: string): boolean {
  return COMPARISONS.has(operator) || (NUMERIC.has(operator) && [left, right].every((side) => /^-?\d+$/.test(side)));
}

function closed(words: Call['words']): Call['words'] | null {
  return words.at(-1)?.text === ']' ? words.slice(0, -1) : null;
}

/** `expr` without regular expressions that could take forever. */
export function exprReads(call: Call): ReadVerdict {
  if (call.words.some(({ known, glob, shape }) => (!known && shape !== 'tame') || glob))
    return { refused: 'a word is only known when it runs' };
  return call.words.some(({ text }) => text === ':' || text === 'match')
    ? { refused: 'expr matches an expression' }
    : { reads: [] };
}

/** `command -v name` looks a name up; its other forms run a command and were unwrapped before. */
export function commandReads(call: Call): ReadVerdict {
  const [option, ...names] = call.words;
  const looksUp = option?.text === '-v' || option?.text === '-V';
  if (!looksUp || call.words.some(({ known, glob }) => !known || glob))
    return { refused: 'command runs what follows it' };
  return names.every(({ text }) => /^[\w.+-]+$/.test(text))
    ? { reads: [] }
    : { refused: 'command -v looks up more than names' };
}
