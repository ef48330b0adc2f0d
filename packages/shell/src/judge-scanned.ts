import { disarms, whyNotWrite } from './destructive/lasting-access.ts';
import { factsOf, isInterpreter } from './destructive/secrets.ts';
import { worsen, type Draft } from './draft.ts';
import { judgeInner, judgePipeline } from './flows.ts';
import { insideOf } from './inside.ts';
import { judgeCommand } from './judge-command.ts';
import { absolutePath } from './redirections.ts';
import { scanText, type ScannedCommand } from './scan-text.ts';
import type { State, Walk } from './walk-state.ts';
import { literal, unknown, type ExpandedWord } from './words.ts';
import { unwrap } from './wrappers.ts';

/** Finds what must be denied in a text that is too long or too complex for the grammar. Nothing of it is ever allowed. */
export function judgeScanned(commands: ReadonlyArray<ScannedCommand>, state: State, walk: Walk): void {
  if (state.depth === 0)
    walk.problems.push({ reason: 'is too long or too intricate to be read', part: walk.source.slice(0, 200) });
  if (isBomb(walk.source)) walk.drafts.push(bomb(state));
  let members: Draft[] = [];
  let from = walk.drafts.length;
  for (const [at, command] of commands.entries()) {
    members.push(judgeOne(command, state, walk));
    if (commands[at + 1]?.statement === command.statement) continue;
    judgeStatement(members, walk, command.opened ? 'opened' : 'plain');
    // A denial is final: no mode and no rule lifts it, so the rest need not be analysed.
    for (; from < walk.drafts.length; from += 1) if (walk.drafts[from]?.effect === 'destructive') return;
    members = [];
  }
}

const NOTHING = { network: false, fetches: false, secret: false, interprets: false } as const;

const BODY = /\{ ?([\w:.]{1,20}) ?\| ?\1 ?&/;
const BOMB = /([\w:.]{1,20}) ?(?:\(\) ?)?\{ ?\1 ?\| ?\1 ?&/;

function isBomb(source: string): boolean {
  return BODY.test(source) && BOMB.test(source.slice(0, 100_000));
}

/** What flows from one command of a statement to another: by a pipe, or by commands opened inside. */
function judgeStatement(members: ReadonlyArray<Draft>, walk: Walk, form: 'opened' | 'plain'): void {
  if (members.length > 1)
    judgePipeline(
      members.map((draft) => [draft]),
      walk,
      members
        .slice(0, MOST_TOGETHER)
        .map(({ text }) => text)
        .join(' '),
    );
  if (form === 'plain' || members.length > MOST_TOGETHER) return;
  for (const draft of members) {
    const others = members.filter((one) => one !== draft);
    judgeInner(draft, others, { walk, interprets: isInterpreter(baseName(draft)) });
  }
  const [first, ...rest] = members;
  if (first === undefined || rest.length === 0) return;
  const words = [...first.words, unknown('$('), ...rest.flatMap((draft) => draft.words)];
  const whole: Draft = { ...first, words, targets: [], facts: NOTHING };
  judgeCommand(whole, {
    pathContext: walk.pathContext,
    moved: true,
    wrappers: [],
    fed: false,
    piped: null,
    brief: true,
  });
  if (whole.effect === 'destructive') worsen(first, 'destructive', whole.reason);
}

const MOST_TOGETHER = 40;

function baseName(draft: Draft): string {
  const name = draft.words[0]?.text ?? '';
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Every table is tried for every command: each looks the name up first, so most cost a lookup or two. */
function judgeOne(command: ScannedCommand, state: State, walk: Walk): Draft {
  const { text } = command;
  const all = command.words.map(expanded);
  const from = all.findIndex((word) => !isAssignment(word.text));
  const opens = /[<>]/.test(text) ? all.findIndex(isRedirection) : -1;
  const end = opens < 0 ? all.length : opens;
  const { words } = unwrap(from < 0 ? [] : from === 0 && opens < 0 ? all : all.slice(from, end));
  const draft: Draft = {
    text,
    words: opens < 0 ? words : [...words, ...all.slice(end)],
    assigns: [],
    cwds: state.cwds,
    via: state.via,
    stripped: false,
    targets: [],
    facts: NOTHING,
    unnamed: false,
    effect: 'unknown',
    reason: 'one of too many commands',
  };
  draft.facts = factsSeen(draft, words);
  walk.drafts.push(draft);
  judgeCommand(draft, {
    pathContext: walk.pathContext,
    moved: true,
    wrappers: [],
    fed: false,
    piped: null,
    brief: true,
  });
  if (from !== 0 && all.some((word) => isAssignment(word.text) && disarms(word.text)))
    worsen(draft, 'destructive', "turns off the agent's own guard");
  if (text.includes('>')) judgeWrites(draft, all, walk);
  judgeInner(draft, [], { walk, interprets: isInterpreter(baseName(draft)) });
  judgeInside(draft, state, walk);
  return draft;
}

/** With redirections treated as words, and without: `env > x` prints everything, `nc x < y` sends y. */
function factsSeen(draft: Draft, words: ReadonlyArray<ExpandedWord>): Draft['facts'] {
  const name = baseName(draft);
  const seen = factsOf(name, draft.words.slice(1), draft.text);
  if (words.length === draft.words.length) return seen;
  const before = factsOf(name, words.slice(1), draft.text);
  return {
    ...seen,
    secret: seen.secret || before.secret,
    interprets: seen.interprets || before.interprets,
  };
}

function isRedirection({ text }: ExpandedWord): boolean {
  return /^\d*&?[<>]/.test(text);
}

/** Scripts and commands given as words. */
function judgeInside(draft: Draft, state: State, walk: Walk): void {
  const name = baseName(draft);
  const { scripts, commands } = insideOf(name, draft.words);
  if (state.depth >= DEEPEST_GLANCE) return;
  const inner: State = { ...state, depth: state.depth + 1, via: name };
  for (const script of scripts) judgeScanned(scanText(script).commands, inner, { ...walk, source: script });
  for (const words of commands) {
    const texts = words.map(({ text }) => text);
    judgeOne({ text: texts.join(' '), words: texts, statement: 0, opened: false }, inner, walk);
  }
}

const DEEPEST_GLANCE = 2;

function isAssignment(word: string): boolean {
  return word.includes('=') && /^[A-Za-z_]\w*\+?=/.test(word);
}

/** `>x` and `> x`, optionally with a number or an ampersand before it. */
function judgeWrites(draft: Draft, words: ReadonlyArray<ExpandedWord>, walk: Walk): void {
  words.forEach(({ text }, at) => {
    const target = text.includes('>') ? /^\d*&?(?:>>?\|?|<>)&?(.*)$/s.exec(text)?.[1] : undefined;
    const word = target === '' ? words[at + 1] : target === undefined ? undefined : literal(target);
    if (word === undefined || /^(?:\/dev\/null|\d|-)$/.test(word.text)) return;
    draft.targets.push({ path: absolutePath(word, draft.cwds, walk.pathContext), access: 'write', via: 'redirection' });
    const reason = whyNotWrite(word, draft.cwds, walk.pathContext);
    if (reason !== null) worsen(draft, 'destructive', reason);
  });
}

function expanded(text: string): ExpandedWord {
  const first = text.search(/[$`*?[]/);
  if (first < 0) return literal(text);
  return /[$`]/.test(text) ? unknown(text) : { ...literal(text), glob: true };
}

function bomb(state: State): Draft {
  return {
    text: 'a function that keeps starting itself',
    words: [],
    assigns: [],
    cwds: state.cwds,
    via: null,
    stripped: false,
    targets: [],
    facts: NOTHING,
    unnamed: false,
    effect: 'destructive',
    reason: 'exhausts the machine: a function that keeps starting itself',
  };
}
