import { judgeRead, parseArguments, type Call, type Reader, type ReadVerdict } from './arguments.ts';

const SED: Reader = {
  short: 'nErsuz',
  shortValue: 'el',
  long: 'quiet silent regexp-extended separate unbuffered null-data expression= line-length= posix sandbox version help'.split(
    ' ',
  ),
  patterns: ['e', 'expression'],
  operands: 'textThenPaths',
  stdin: [],
};

/** sed that prints: no option that edits in place or reads a script, and a script of the grammar below. */
export function sedReads(call: Call): ReadVerdict {
  const given = parseArguments(SED, call.words);
  if ('refused' in given) return given;
  const named = [...(given.options.get('e') ?? []), ...(given.options.get('expression') ?? [])];
  const scripts = named.length > 0 ? named : given.operands.slice(0, 1).map(({ text }) => text);
  if (scripts.length === 0 && !given.options.has('version')) return { refused: 'sed has no script' };
  // In other versions `-l` takes no value, and the next word is the script.
  const widths = [...(given.options.get('l') ?? []), ...(given.options.get('line-length') ?? [])];
  if (!widths.every((width) => /^\d{1,6}$/.test(width))) return { refused: 'the line length is not a number' };
  const bad = scripts.find((script) => !onlyPrints(script));
  return bad === undefined ? judgeRead(SED, call) : { refused: `the sed script ${bad} is not known to only print` };
}

/**
 * script   = [ command ] { (";" | newline) [ command ] }
 * command  = [ address [ "," address ] ] blanks ["!"] blanks action
 * address  = number | number "~" number | "$" | "/" regex "/" ["I"] | "+" number | "~" number
 * action   = "p" | "d" | "D" | "P" | "=" | "g" | "G" | "h" | "H" | "x" | "N" | "n" | ("q"|"Q"|"l") [number]
 *          | "{" script "}" | "s" delimiter regex delimiter text delimiter { "g" | "p" | "i" | "I" | number }
 *          | "y" delimiter text delimiter text delimiter
 */
export function onlyPrints(script: string): boolean {
  const rest = commands(script, 0);
  return rest !== null && rest.at === script.length && rest.depth === 0 && ends(rest.actions);
}

/** `D` restarts with the rest: an action that adds a newline there restarts forever. */
function ends(actions: string): boolean {
  return !actions.includes('D') || !/[gGxsy]/.test(actions);
}

type Position = { readonly at: number; readonly depth: number; readonly actions: string };

/** A bracket expression that contains no bracket, and more than a caret: in `[^]/]` the slash belongs to the set. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|[+~]\d+|/(?:[^/\\\n[\]]|\\[^\n]|\[(?!\^\])[^\]/\\\n[]+\])*/I?)`;
const COMMAND = new RegExp(
  String.raw`(?:${ADDRESS}(?:,${ADDRESS})?)?[ \t]*(?:![ \t]*)?(?:[pdDPgGhHxNn=]|[qQl](?:[ \t]*\d+)?|[sy{}])`,
  'y',
);

function commands(script: string, depth: number): Position | null {
  let at = 0;
  let open = depth;
  let actions = '';
  while (at < script.length) {
    at = skip(script, at, ' \t\n;');
    if (at >= script.length) break;
    COMMAND.lastIndex = at;
    const found = COMMAND.exec(script);
    if (found === null) return null;
    const action = found[0].at(-1) ?? '';
    actions += action;
    at += found[0].length;
    if (action === '{') open += 1;
    else if (action === '}') {
      open -= 1;
      if (open < 0 || found[0] !== '}') return null;
    } else if (action === 's' || action === 'y') {
      const end = substitution(script, at, action);
      if (end === null) return null;
      at = end;
    }
    if (action !== '{' && !atEnd(script, skip(script, at, ' \t'))) return null;
  }
  return { at, depth: open, actions };
}

function skip(script: string, from: number, characters: string): number {
  let at = from;
  while (at < script.length && characters.includes(script.charAt(at))) at += 1;
  return at;
}

/** After an action comes the next command, the end of a block, or nothing. */
function atEnd(script: string, at: number): boolean {
  return at >= script.length || ';\n}'.includes(script.charAt(at));
}

/** Where `s/a/b/g` ends; null if sed versions could disagree on it or a flag does more than print. */
function substitution(script: string, from: number, action: 's' | 'y'): number | null {
  const delimiter = script.charAt(from);
  if (!/^[/|,#:@!%_+]$/.test(delimiter)) return null;
  const first = piece(script, from + 1, delimiter);
  const second = first === null ? null : piece(script, first.end, delimiter);
  if (first === null || second === null) return null;
  const hasSet = first.text.replaceAll(/\\[^]/g, '').includes('[');
  if (hasSet && !/^(?:[^[\]\\]|\\[^\n]|\[(?!\^\])(?:[^\]\\[]|\\[tn])+\])*$/.test(first.text)) return null;
  return action === 's' ? skip(script, second.end, 'gpiI0123456789') : second.end;
}

function piece(
  script: string,
  from: number,
  delimiter: string,
): { readonly text: string; readonly end: number } | null {
  for (let at = from; at < script.length; at += 1) {
    const character = script.charAt(at);
    if (character === '\n') return null;
    if (character === '\\') at += 1;
    else if (character === delimiter) return { text: script.slice(from, at), end: at + 1 };
  }
  return null;
}
