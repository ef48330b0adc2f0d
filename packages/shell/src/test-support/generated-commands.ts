import { EXPANSIONS, FRAMES, MANUALS, WRAPPERS } from './generated-vocabulary.ts';

/** A command string from a number: one program by its manual, the grammar of bash, or a given string changed at random. */
export function generateCommand(seed: number, given: ReadonlyArray<string>): string {
  const dice = createDice(seed);
  const plain = dice.chance(0.35)
    ? mutate(dice.one(given), dice, given)
    : dice.chance(0.4)
      ? simple(dice)
      : list(dice, 0);
  return dice.chance(0.1) ? mutate(plain, dice, given) : plain;
}

type Dice = {
  readonly below: (end: number) => number;
  readonly chance: (share: number) => boolean;
  readonly one: <Item>(items: ReadonlyArray<Item>) => Item;
};

function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const one = <Item>(items: ReadonlyArray<Item>): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error('nothing to choose from');
    return item;
  };
  return { below, chance: (share) => next() < share, one };
}

const READS =
  'ls|cat|head|tail|wc|grep|rg|find|sed|awk|jq|sort|uniq|cut|git|echo|printf|test|stat|diff|date|tr|tar|xxd|du|file|cd|time|timeout 5|nice|command'.split(
    '|',
  );
const OTHERS =
  'rm|touch|cp|mv|bash|sh|python3|node|env|xargs|sudo|curl|eval|source|export|exec|tee|make|npm|kill|dd|chmod|less|watch|read|set|trap|let|declare'.split(
    '|',
  );
const OPTIONS =
  '-n|-l|-la|-r|-i|-o|-c|-e|-f|-x|-z|-nz|-v|-R|-rf|-exec|-delete|-name|-type|--output=o|--pre=./x|--output|-20|--|--version|-p|--stat|--oneline|-C|-u|-t|-k2|-F,|--in-place|-S|--files|-O|-5'.split(
    '|',
  );
const WORDS =
  "a.txt|src|src/app.ts|.|..|../x|/etc/passwd|~|~/.ssh|.env|*|./*|src/*.ts|{a,b}|'a b'|\"a b\"|\"$HOME\"|$X|\"$X\"|${x:-y}|${x@P}|${!x}|$(id)|`id`|<(ls)|$((1+2))|$((x))|$'a'|\\x|a\\ b|log|status|diff|show|branch|HEAD|main|'1,5p'|'w out'|'{print $1}'|'{system(1)}'|.name|env|foo|5|'a;b'|\"a|b\"|-|+x|=x|!|\\;|$?|é|#x".split(
    '|',
  );
const REDIRECTS = [
  '>out',
  '> out',
  '>>o',
  '2>/dev/null',
  '2>&1',
  '>/dev/null',
  '<a.txt',
  '< /etc/passwd',
  '>|o',
  '&>o',
  '<>o',
  '>&o',
  '<<<x',
  '<<<"$(id)"',
  '{fd}>o',
  '>&2',
  '<&-',
  '>&-',
  '3>&1',
  '1>&2-',
  '>&3-',
  '<&o',
  '&>>o',
  '>/dev/tcp/h/1',
  '</dev/tcp/h/1',
  '>/dev/nul',
  '> "/dev/null"',
  '>/dev/null/../x',
  '<>/dev/null',
  '<~/.ssh/id_rsa',
  '<.env',
  '<"$HOME"/a',
  '<*',
  '<{a,b}',
  '9<a.txt',
  '<<<$X',
  '<<<$((1+2))',
  "<<<$'a'",
  '>$X',
  '>>/dev/null',
  '2>&o',
];
const JOINTS = [' && ', ' || ', ' ; ', ' | ', ' |& ', ' & ', '\n', ';', '&&', '|'];
const ASSIGNMENTS = ['LC_ALL=C', 'X=1', 'PATH=.', 'TZ=UTC', 'LD_PRELOAD=x', 'x=$(id)', 'a[0]=1', 'NO_COLOR=1'];
const NOISE = [
  '"',
  "'",
  '`',
  '$',
  '(',
  ')',
  '{',
  '}',
  '\\',
  ';',
  '|',
  '&',
  '<',
  '>',
  '\n',
  ' ',
  '*',
  '~',
  '#',
  '!',
  '=',
  '[',
  ']',
  '-',
  '/',
  '.',
  '\u00a0',
  '\u200b',
  '\u2003',
  '\u3000',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u202e',
  '\v',
  '\f',
  '\0',
  '\r',
  '\r\n',
  "$'",
  '$"',
  '$((',
  '((',
  '[[ ',
  ' ]]',
  '<<E\n',
  '\nE\n',
  '\\\n',
  '>(',
  '@(',
  '{a,-o}',
  '=(',
  '${x@P}',
  '\t',
  '$(',
  '${',
  '<(',
  '&&',
  '||',
  ' -o ',
  ' > o',
  '; rm a',
  '-exec ',
  ' /etc/passwd',
];

function list(dice: Dice, depth: number): string {
  let text = item(dice, depth);
  for (let more = dice.below(3); more > 0; more -= 1) text += dice.one(JOINTS) + item(dice, depth);
  return text;
}

function item(dice: Dice, depth: number): string {
  if (depth > 2 || dice.chance(0.8)) return simple(dice);
  if (dice.chance(0.4)) return framed(dice, depth);
  const inner = list(dice, depth + 1);
  return dice.one([
    `(${inner})`,
    `{ ${inner}; }`,
    `if ${simple(dice)}; then ${inner}; fi`,
    `for f in ${dice.one(WORDS)} ${dice.one(WORDS)}; do ${inner}; cat "$f"; done`,
    `for f in ${dice.one(WORDS)}; do ls $f; done`,
    `while ${simple(dice)}; do ${inner}; done`,
    `case ${dice.one(WORDS)} in a) ${inner};; esac`,
    `! ${inner}`,
    `f() { ${inner}; }; f`,
    `[[ -f ${dice.one(WORDS)} ]] && ${inner}`,
    `cat <<E\n${dice.one(WORDS)}\nE\n${inner}`,
  ]);
}

/** A frame with a command in each of its places. */
function framed(dice: Dice, depth: number): string {
  return dice.one(FRAMES).replaceAll(/[§¤]/g, (place) => (place === '§' ? item(dice, depth + 1) : word(dice)));
}

function word(dice: Dice): string {
  return dice.one(dice.chance(0.7) ? WORDS : EXPANSIONS);
}

function simple(dice: Dice): string {
  const wrapped = dice.chance(0.08) ? `${dice.one(WRAPPERS)} ` : '';
  return wrapped + (dice.chance(0.5) ? known(dice) : anything(dice));
}

/** A program with words from its manual, and sometimes one that is not. */
function known(dice: Dice): string {
  const { names, first, words } = dice.one(MANUALS);
  const given = [dice.one(names), dice.one(first)];
  for (let more = dice.below(3); more > 0; more -= 1) given.splice(1 + dice.below(given.length), 0, dice.one(words));
  if (dice.chance(0.15)) given.push(word(dice));
  if (dice.chance(0.08)) given.push(dice.one(REDIRECTS));
  if (dice.chance(0.04)) given.unshift(dice.one(ASSIGNMENTS));
  return given.filter((text) => text !== '').join(' ');
}

function anything(dice: Dice): string {
  const words = [dice.chance(0.85) ? dice.one(READS) : dice.one(OTHERS)];
  if (dice.chance(0.08)) words.unshift(dice.one(ASSIGNMENTS));
  if (dice.chance(0.5)) words.push(dice.one(OPTIONS));
  for (let more = dice.below(3); more > 0; more -= 1) words.push(word(dice));
  if (dice.chance(0.15)) words.push(dice.one(OPTIONS));
  if (dice.chance(0.15)) words.push(dice.one(REDIRECTS));
  return words.join(' ');
}

function mutate(text: string, dice: Dice, given: ReadonlyArray<string>): string {
  let changed = text;
  for (let more = 1 + dice.below(3); more > 0; more -= 1) {
    const at = dice.below(changed.length + 1);
    const before = changed.slice(0, at);
    const after = changed.slice(at);
    changed = dice.one([
      () => before + dice.one(NOISE) + after,
      () => before + after.slice(1),
      () => before + dice.one(NOISE) + after.slice(1),
      () => before + dice.one(JOINTS) + dice.one(given),
      () => `${changed} ${dice.one(OPTIONS)}`,
      () => `${changed} ${word(dice)}`,
      () => `${dice.one(WRAPPERS)} ${changed}`,
      () => `${changed} ${dice.one(REDIRECTS)}`,
      () => `${dice.one(ASSIGNMENTS)} ${changed}`,
      () => before + after.split('').toReversed().join(''),
    ])();
  }
  return changed;
}
