import { CALLS, GIT_READS, GIVEN_FIRST, MOST_OPERANDS, NAMES, TEXTS, VALUES } from './second-opinion-manuals.ts';
import { awkCode, jqCode, sedDoes } from './second-opinion-programs.ts';
import { expandBraces, holdsCommand, isOutside, isSecret, unquote, type Place } from './second-opinion-words.ts';

/** Objections to running these words, each as written. */
export function objectToCall(written: ReadonlyArray<string>, place: Place): ReadonlyArray<string> {
  if (written.length === 0) return [];
  const [name = '', ...rest] = strip(written.flatMap(expandBraces));
  const never = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (never === undefined) return [`runs ${name}`];
  // These start a process: its folder changes, not the shell's.
  if (/^(?:timeout|nice|stdbuf)$/.test(written[0] ?? '') && /^(?:cd|pushd)$/.test(name)) return [`starts ${name}`];
  const plain = rest.map(unquote);
  const { judged, operands, programs } = sortWords(name, name === 'tar' ? withDashes(plain) : plain);
  const made = PRINTS.test(name) || name === 'git' ? undefined : rest.find(holdsCommand);
  const bad = judged.find((word) => never?.test(word) === true);
  const outside = (TEXTS.test(name) ? [] : operands).find(
    (word) => isOutside(word, place) || (!NAMES.test(name) && isSecret(word)),
  );
  const most = Object.hasOwn(MOST_OPERANDS, name) ? MOST_OPERANDS[name] : undefined;
  return [
    ...(made === undefined ? [] : [`${name} takes ${made}`]),
    ...(bad === undefined ? [] : [`${name} ${bad}`]),
    ...programs.flatMap((program) => objectToProgram(name, program)),
    ...(outside === undefined ? [] : [`${name} reads ${outside}`]),
    ...(most === undefined || operands.length <= most ? [] : [`${name} writes ${operands.at(-1)}`]),
    ...(name === 'git' ? objectToGit(plain) : []),
  ];
}

/** Whatever they are given, they print or compare it. */
const PRINTS = /^(?:echo|printf|true|false|:|basename|dirname|expr|test|\[)$/;

function objectToProgram(name: string, program: string): ReadonlyArray<string> {
  if (name === 'sed') {
    const command = sedDoes(program);
    return command === null ? [] : [command];
  }
  const code = name === 'jq' ? jqCode(program) : awkCode(program);
  const never = name === 'jq' ? JQ_NEVER : AWK_NEVER;
  return never.test(code) || (name !== 'jq' && writesIn(code)) ? [`${name} ${program}`] : [];
}

const JQ_NEVER =
  /\$ENV|(?<!(?<!\.)\.|\w|\/|")env\b(?!\s*:)|(?<!(?<!\.)\.)\b(?:import|include|input_filename|repeat|range|def)\b/;
const AWK_NEVER = /\b(?:system|getline|close|ENVIRON)\b|(?<!\|)\|(?!\|)|>>|@/;

/** In an action, a `>` outside brackets sends the output to a file. */
function writesIn(code: string): boolean {
  let plain = code;
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(/\([^()]*\)/g, ' ');
  }
  return /\{[^}]*>(?!=)/.test(plain);
}

const GIT_GLOBALS = /^--(?:no-pager|no-optional-locks|literal-pathspecs|icase-pathspecs|no-replace-objects)$|^-P$/;

/** What a subcommand's first word must be, or how many words it may have, to change nothing. */
const GIT_FORMS: Readonly<Record<string, (operands: ReadonlyArray<string>, words: ReadonlyArray<string>) => boolean>> =
  {
    stash: ([first]) => /^(?:list|show)$/.test(first ?? ''),
    worktree: ([first]) => first === 'list',
    notes: ([first]) => /^(?:list|show)$/.test(first ?? 'list'),
    help: (operands) => operands.length <= 1,
    remote: ([first]) => first === undefined || first === 'get-url',
    reflog: ([first]) => !/^(?:expire|delete|drop|write)$/.test(first ?? ''),
    'symbolic-ref': (operands) => operands.length <= 1,
    config: (operands) => operands.length <= (operands[0] === 'get' ? 2 : 1),
    branch: listsRefs,
    tag: listsRefs,
  };

function listsRefs(operands: ReadonlyArray<string>, words: ReadonlyArray<string>): boolean {
  return operands.length === 0 || words.some((word) => GIT_LISTS.test(word));
}

/** In the format of a commit `%G` calls gpg; these have formats without it. */
const GIT_OWN_FORMATS = /^(?:ls-files|ls-tree|cat-file|grep)$/;
const GIT_SIGNATURE = /^(?:-.*|t?format:.*)?%[-+ ]?G/;

/** Their next word is the value. */
const GIT_VALUES = /^--(?:sort|format)$/;

const GIT_LISTS = /^(?:-[a-z]*l[a-z]*|--list|--(?:no-)?(?:contains|merged)(?:=.*)?|--points-at(?:=.*)?)$/;

function objectToGit(words: ReadonlyArray<string>): ReadonlyArray<string> {
  const from = words.findIndex((word) => !GIT_GLOBALS.test(word));
  const name = words[from];
  if (name === undefined) return [];
  const rest = words.slice(from + 1);
  const fits = Object.hasOwn(GIT_FORMS, name) ? GIT_FORMS[name] : undefined;
  if (!GIT_READS.test(name)) return [`git ${name}`];
  const isValue = (at: number): boolean => GIT_VALUES.test(rest[at - 1] ?? '');
  const operands = rest.filter((word, at) => !word.startsWith('-') && !isValue(at));
  const isFormat = (word: string, at: number): boolean => !word.startsWith('%') || isValue(at);
  const formats = GIT_OWN_FORMATS.test(name) ? [] : rest.filter(isFormat);
  const signs = formats.find((word) => GIT_SIGNATURE.test(word));
  return (fits === undefined || fits(operands, rest)) && signs === undefined ? [] : [`git ${name} ${rest.join(' ')}`];
}

type Sorted = {
  readonly judged: ReadonlyArray<string>;
  readonly operands: ReadonlyArray<string>;
  readonly programs: ReadonlyArray<string>;
};

const NOTHING: Sorted = { judged: [], operands: [], programs: [] };

/**
 * The words of a call, sorted as its program would: `judged` are options, `programs` are scripts and filters, `operands` the names of
 * files. A pattern or a number for an option is none of them. awk takes no option after its program.
 */
function sortWords(name: string, words: ReadonlyArray<string>): Sorted {
  const takes = Object.hasOwn(VALUES, name) ? VALUES[name] : undefined;
  const first = Object.hasOwn(GIVEN_FIRST, name) ? GIVEN_FIRST[name] : undefined;
  const runs = /^(?:sed|jq|[gmn]?awk)$/.test(name);
  if (name === 'test' || name === '[') return { ...NOTHING, judged: tested(words) };
  if (runs && words.length === 1 && words[0] === '--version') return NOTHING;
  const judged: string[] = [];
  const operands: string[] = [];
  const programs: string[] = [];
  let ended = false;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (ended || !/^-./.test(word)) {
      operands.push(word);
      if (!ended && first === undefined) judged.push(word);
      if (name.endsWith('awk')) ended = true;
    } else if (word === '--') ended = true;
    else {
      judged.push(word);
      // jq's `--arg` takes a name and a value.
      if (takes?.test(word) === true) at += word.startsWith('--arg') ? 2 : 1;
      if (name === 'sed') programs.push(...sedScript(word, words[at] ?? ''));
    }
  }
  const needsFirst = first !== undefined && !judged.some((word) => first.test(word));
  const given = needsFirst ? operands.splice(0, 1) : [];
  return { judged, operands, programs: runs ? [...programs, ...given] : [] };
}

/** The script in `-e p`, `-ne p`, `-ep` or `--expression=p`. */
function sedScript(word: string, next: string): ReadonlyArray<string> {
  if (/^(?:-[nErsuz]*e|--expression)$/.test(word)) return [next];
  const within = /^(?:-[nErsuz]*e|--expression=)(.+)/s.exec(word)?.[1];
  return within === undefined ? [] : [within];
}

/** `tar tfv x` is `tar -tvf x`: without a dash every letter is an option. */
function withDashes([first = '', ...rest]: ReadonlyArray<string>): ReadonlyArray<string> {
  if (!/^[a-zA-Z]+$/.test(first)) return [first, ...rest];
  return [`-${first.replaceAll('f', '')}${first.includes('f') ? 'f' : ''}`, ...rest];
}

/** With two words the first is the test and the second its subject: `test -f -R` looks for a file. */
function tested(words: ReadonlyArray<string>): ReadonlyArray<string> {
  const about = words.filter((word, at) => !(at === 0 && word === '!') && !(at === words.length - 1 && word === ']'));
  return about.length === 2 ? about.slice(0, 1) : about;
}

/** Removes wrappers, roughly: up to the first word that is a known name. */
function strip(words: ReadonlyArray<string>): ReadonlyArray<string> {
  const [name = '', ...rest] = words;
  // After a pipe `time` is a program with its own options; this parser treats it as the keyword there, too.
  if (/^-[pqv]+$|^--(?:verbose|portability|quiet)?$/.test(name)) return strip(rest);
  if (
    !/^(?:timeout|time|nice|stdbuf|builtin|command)$/.test(name) ||
    (name === 'command' && /^-[vV]$/.test(rest[0] ?? ''))
  )
    return words;
  if (name === 'timeout') {
    const duration = rest.findIndex(
      (word, at) => !word.startsWith('-') && !/^(?:-[ks]|--signal|--kill-after)$/.test(rest[at - 1] ?? ''),
    );
    return duration < 0 || duration + 1 >= rest.length ? words : strip(rest.slice(duration + 1));
  }
  const next = rest.findIndex((word) => /^[a-z[:]/.test(word) && !/^\d/.test(word));
  return next < 0 ? words : strip(rest.slice(next));
}
