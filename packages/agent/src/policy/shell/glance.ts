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
  if (BOMB.test(walk.source.slice(0, 100_000))) walk.drafts.push(bomb(state));
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

const BOMB = /([\w:.]{1,20}) ?\(\) ?\{ ?\1 ?\| ?\1 ?&/;

function glanceAt(glance: Glance, state: State, walk: Walk): Draft {
  const { text } = glance;
  const all = glance.words.map(spoken);
  const from = all.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word.text));
  const { words } = unwrap(from < 0 ? [] : all.slice(from));
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
  all.forEach((word, at) => {
    const target = /^\d*&?>>?\|?$/.test(word.text) ? all[at + 1] : undefined;
    const door = target === undefined ? null : writesDoor(target, state.cwds, walk.ground);
    if (door !== null) worsen(draft, 'destructive', door);
  });
  return draft;
}

function spoken(word: string): Spoken {
  return /[$`]/.test(word) ? unknown(word) : { ...literal(word), glob: /[*?[]/.test(word) };
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
    facts: { network: false, fetches: false, secret: false, interprets: false },
    effect: 'destructive',
    reason: 'exhausts the machine: a function that keeps starting itself',
  };
}
