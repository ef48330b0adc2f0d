import { addUsage, costOf, NO_USAGE, type Usage } from '@attractor/llm';
import type { JournalRecord } from '../journal/journal.ts';
import { eventOf } from '../journal/read-event.ts';
import type { SessionSummary } from './contract.ts';
import { aboutOf } from './header.ts';

/** A summary under construction: `(summary, record) → summary`. Turns are counted separately, since a rewind changes earlier ones. */
export type SummaryFold = Omit<SessionSummary, 'folder' | 'turns' | 'lastSeq' | 'writer'>;

const TITLE_LENGTH = 100;

export function emptySummary(id: string): SummaryFold {
  return {
    id,
    title: '',
    cwd: '',
    provider: null,
    model: null,
    usage: NO_USAGE,
    cost: 0,
    createdAt: '',
    updatedAt: '',
    forkedFrom: null,
  };
}

export function summarise(fold: SummaryFold, record: JournalRecord): SummaryFold {
  const { at } = record;
  const next = { ...fold, createdAt: fold.createdAt || at, updatedAt: at > fold.updatedAt ? at : fold.updatedAt };
  const about = aboutOf(record);
  if (about !== null) {
    const { cwd, provider = null, model = null, forkedFrom = null } = about;
    return { ...next, cwd, provider, model, forkedFrom };
  }
  const event = eventOf(record);
  if (event?.kind === 'CONFIGURED' && event.title !== undefined) return { ...next, title: titleOf(event.title) };
  if (event?.kind === 'USER_INPUT') return { ...next, title: fold.title || titleOf(event.content) };
  if (event?.kind === 'ASSISTANT_MESSAGE') return { ...paid(next, at, event), model: event.model || null };
  // A summary without a model cost nothing.
  const isPaid = event?.kind === 'ANSWER_UNUSED' || (event?.kind === 'COMPACTED' && (event.model ?? '') !== '');
  return isPaid ? paid(next, at, event) : next;
}

type Paid = { readonly usage?: Usage; readonly model?: string };

function paid(fold: SummaryFold, at: string, { usage = NO_USAGE, model = '' }: Paid): SummaryFold {
  const cost = costOf(model, usage, dated(at));
  return {
    ...fold,
    usage: addUsage(fold.usage, usage),
    cost: fold.cost === null || cost === null ? null : fold.cost + cost,
  };
}

function titleOf(input: string): string {
  const line = input.replaceAll(/\s+/g, ' ').trim();
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1).toWellFormed()}…`;
}

function dated(at: string): { readonly at?: Date } {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? {} : { at: time };
}
