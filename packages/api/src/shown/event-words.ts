import type { PipelineStatus } from '@attractor/platform';
import { showCost, showDay } from './amounts.ts';
import { typeset } from './plain-text.ts';
import { outcomeWords } from './outcome-words.ts';

type Labelled = Pick<PipelineStatus, 'id' | 'label'>;

/** What the log tells of an event, with the names of its file formats in words and those of statuses as their pipeline has them. */
export function eventWords(summary: string, statuses: ReadonlyArray<Labelled>): string {
  const named = (id: string) => statuses.find((status) => status.id === id)?.label ?? spaced(id);
  const told = summary
    .replace(MOVE, (_, what: string, from: string, to: string) => `${what}: ${named(from)} → ${named(to)}`)
    .replace(STAYS, (_, id: string) => `The task stays in “${named(id)}”`)
    .replace(MADE, (_, kind: string) => `${kind.charAt(0).toUpperCase()}${spaced(kind.slice(1))}: `)
    .replace(REPORTED, (_, before: string, outcome: string) => `${before} “${outcomeWords(outcome)}”`)
    .replaceAll(TIME, (at) => showDay(at))
    .replace(SPENT, (_, usd: string) => `(${showCost(Number(usd))})`)
    .replace(ENDED, (_, outcome: string) => ` (${outcomeWords(outcome)})`);
  return typeset(told);
}

const MOVE = /^(.*): ([a-z0-9_]+) → ([a-z0-9_]+)$/su;
const STAYS = /^The task stays in "([a-z0-9_]+)"/u;
const MADE = /^(pull_request|branch|commit|diff|document|link|mock): /u;
const REPORTED = /^(Agent completed with|Agent reported) ([a-z]+(?:_[a-z]+)*)\b(?! outcome)/u;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z\b/gu;
const SPENT = /\(\$(\d+\.\d{4})\)$/u;
const ENDED = / \(([a-z]+(?:_[a-z]+)+)\)$/u;

function spaced(id: string): string {
  return id.replaceAll('_', ' ');
}
