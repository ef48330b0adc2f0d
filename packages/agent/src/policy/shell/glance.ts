import { writesDoor } from './destructive/doors.ts';
import { factsOf } from './destructive/secrets.ts';
import { worsen, type Draft } from './draft.ts';
import { judgePipeline } from './flows.ts';
import { judgeCommand } from './judge-command.ts';
import type { Glance } from './survey.ts';
import type { State, Walk } from './walk-state.ts';
import { literal, unknown, type Spoken } from './words.ts';
import { unwrap } from './wrappers.ts';

/** What must be denied in a text that is too long or too intricate for the grammar. Nothing of it is ever allowed. */
export function glanceOver(glances: ReadonlyArray<Glance>, state: State, walk: Walk): void {
  walk.problems.push({ reason: 'is too long or too intricate to be read', part: walk.source.slice(0, 200) });
  if (walk.source.includes('()') && BOMB.test(walk.source.slice(0, 100_000))) walk.drafts.push(bomb(state));
  let pipeline: ReadonlyArray<Draft>[] = [];
  let number = -1;
  for (const glance of glances) {
    if (glance.pipeline !== number) {
      if (pipeline.length > 1) judgePipeline(pipeline, walk);
      pipeline = [];
      number = glance.pipeline;
    }
    pipeline.push([glanceAt(glance, state, walk)]);
  }
  if (pipeline.length > 1) judgePipeline(pipeline, walk);
}

const NOTHING = { network: false, fetches: false, secret: false, interprets: false } as const;

const BOMB = /([\w:.]{1,20}) ?\(\) ?\{ ?\1 ?\| ?\1 ?&/;

/** Every table is asked about every command: each of them looks the name up first, so that most cost a look or two. */
function glanceAt(glance: Glance, state: State, walk: Walk): Draft {
  const { text } = glance;
  const all = glance.words.map(spoken);
  const from = all.findIndex((word) => !isAssignment(word.text));
  const { words } = unwrap(from <= 0 ? (from < 0 ? [] : all) : all.slice(from));
  const name = words[0]?.text ?? '';
  const draft: Draft = {
    text,
    words,
    assigns: [],
    cwds: state.cwds,
    via: null,
    stripped: false,
    targets: [],
    facts: factsOf(name.slice(name.lastIndexOf('/') + 1), words.slice(1), text),
    effect: 'unknown',
    reason: 'one of too many commands',
  };
  walk.drafts.push(draft);
  judgeCommand(draft, { ground: walk.ground, moved: true, fed: false, brief: true });
  if (text.includes('>')) judgeWrites(draft, all, walk);
  return draft;
}

function isAssignment(word: string): boolean {
  return word.includes('=') && /^[A-Za-z_]\w*\+?=/.test(word);
}

/** `>x` and `> x`, with a number or an ampersand before it. */
function judgeWrites(draft: Draft, words: ReadonlyArray<Spoken>, walk: Walk): void {
  words.forEach(({ text }, at) => {
    const target = text.includes('>') ? /^\d*&?(?:>>?\|?|<>)&?(.*)$/s.exec(text)?.[1] : undefined;
    const word = target === '' ? words[at + 1] : target === undefined ? undefined : literal(target);
    const door = word === undefined ? null : writesDoor(word, draft.cwds, walk.ground);
    if (door !== null) worsen(draft, 'destructive', door);
  });
}

function spoken(text: string): Spoken {
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
    effect: 'destructive',
    reason: 'exhausts the machine: a function that keeps starting itself',
  };
}
