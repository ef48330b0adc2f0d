import { InputProblem } from '../input/input-problem.ts';
import { CODEX_FLAGS, CODEX_RESUME_FLAGS, oneConfig } from './codex.ts';
import { GEMINI_FLAGS } from './gemini.ts';
import { translate, wordsBesideFlags } from './translate.ts';

/** A command line of another agent as one of `attractor -p`, and what of it had no effect. */
export type ForeignLine = {
  readonly argv: ReadonlyArray<string>;
  readonly notes: ReadonlyArray<string>;
  /** A message about our flags in the words of the line. */
  readonly inItsWords: (message: string) => string;
};

type Words = ReadonlyArray<readonly [ours: RegExp, theirs: string]>;

const CODEX_WORDS: Words = [
  [/option '--json-schema <schema>' argument '[^]*?' is invalid\. /, '--output-schema: '],
  [/--cwd\b/, '--cd'],
  [/`attractor -p "…"`/, '`attractor codex exec "…"`'],
  [/`attractor --help`/, '`attractor codex --help`'],
];

const GEMINI_WORDS: Words = [
  [/--add-dir\b/, '--include-directories'],
  [/`attractor -p "…"`/, '`attractor gemini -p "…"`'],
  [/`attractor --help`/, '`attractor gemini --help`'],
];

function speaking(words: Words): ForeignLine['inItsWords'] {
  return (message) => words.reduce((text, [ours, theirs]) => text.replace(ours, () => theirs), message);
}

/** `codex [flags] exec [flags] [(resume | fork) [ID]] [prompt]` */
export function codexLine(argv: ReadonlyArray<string>): ForeignLine {
  const table = [...CODEX_FLAGS, ...CODEX_RESUME_FLAGS];
  refuseReview(wordsBesideFlags(argv, table));
  const { words, rest, notes } = translate(argv, table);
  const [command, ...after] = rest;
  if (command !== 'exec' && command !== 'e')
    throw new InputProblem(
      `only \`codex exec\` works without a terminal${command === undefined ? '' : `, not \`codex ${command}\``}: to talk, start \`attractor\`.`,
    );
  const { session, prompts } = EARLIER.has(after[0]) ? earlierOf(after, words) : { session: [], prompts: after };
  const shaped = words.includes('--lines-of') ? [] : ['--lines-of', 'codex'];
  return {
    argv: ['--usual-provider', 'openai', ...oneConfig(words), ...session, ...shaped, promptWord(prompts)],
    notes,
    inItsWords: speaking(CODEX_WORDS),
  };
}

/** Its flags are its own: what they are is not what is wrong. */
function refuseReview([first, second]: ReadonlyArray<string>): void {
  if (first === 'review' || ((first === 'exec' || first === 'e') && second === 'review'))
    throw new InputProblem('codex review: pipe what to review instead, `git diff main | codex exec "review this"`.');
}

type Resumed = { readonly session: ReadonlyArray<string>; readonly prompts: ReadonlyArray<string> };

const EARLIER: ReadonlySet<string | undefined> = new Set(['resume', 'fork']);

/** With --last every word is a prompt; otherwise the first one names the session. */
function earlierOf([verb, ...after]: ReadonlyArray<string>, words: ReadonlyArray<string>): Resumed {
  const fork = verb === 'fork' ? ['--fork-session'] : [];
  if (words.includes('--continue')) return { session: fork, prompts: after };
  const [id, ...prompts] = after;
  if (id === undefined) throw new InputProblem(`codex exec ${verb} needs an id, or --last.`);
  return { session: ['--resume', id, ...fork], prompts };
}

const GEMINI_COMMANDS: ReadonlySet<string | undefined> = new Set([
  'mcp',
  'extensions',
  'extension',
  'skills',
  'skill',
  'hooks',
  'hook',
  'gemma',
  'update',
]);

/** `gemini [flags] [query…]`; without a terminal every line of it is a question. */
export function geminiLine(argv: ReadonlyArray<string>): ForeignLine {
  const { words, rest, notes } = translate(argv, GEMINI_FLAGS);
  const [command] = rest;
  if (GEMINI_COMMANDS.has(command))
    throw new InputProblem(`\`gemini ${command}\` is not done here: see \`attractor --help\`.`);
  const flagged = words.filter((word) => word.startsWith(PROMPT)).map((word) => word.slice(PROMPT.length));
  const query = rest.length === 0 ? [] : [rest.join(' ')];
  const own = words.filter((word) => !word.startsWith(PROMPT));
  return {
    argv: ['--usual-provider', 'gemini', ...own, promptWord([...flagged, ...query])],
    notes,
    inItsWords: speaking(GEMINI_WORDS),
  };
}

const PROMPT = '--prompt=';

/** No prompt, or `-`: it comes on stdin. */
function promptWord(prompts: ReadonlyArray<string>): string {
  const [prompt, other] = prompts;
  if (other !== undefined)
    throw new InputProblem(`two prompts: '${prompt ?? ''}' and '${other}'. Put one prompt in quotes.`);
  return prompt === undefined || prompt === '-' ? '--print' : `--print=${prompt}`;
}
