import { readRecords } from '../journal/read-journal.ts';
import type { SearchHit, SessionSummary } from './contract.ts';
import { journalOf } from './place.ts';
import { turnsOf, type TurnEntry } from './turns.ts';

const AROUND = 60;

/** The turns that contain a text, in any case, one by one; needs memory for one turn. */
export function* searchSessions(
  home: string,
  sessions: Iterable<SessionSummary>,
  text: string,
): Generator<SearchHit, void> {
  const wanted = new RegExp(RegExp.escape(text), 'iu');
  for (const session of sessions) {
    for (const entry of turnsOf(readRecords(journalOf(home, session.id)))) {
      const excerpt = textsOf(entry)
        .map((one) => excerptOf(one, wanted))
        .find((one) => one !== null);
      if (excerpt === undefined || excerpt === null) continue;
      yield { session, turn: entry.turn, kind: entry.kind, at: entry.at, excerpt };
    }
  }
}

function textsOf({ text, calls, results }: TurnEntry): ReadonlyArray<string> {
  return [
    text,
    ...calls.map(({ toolName, args }) => `${toolName} ${JSON.stringify(args)}`),
    ...results.map(({ output }) => output),
  ];
}

function excerptOf(text: string, wanted: RegExp): string | null {
  const found = wanted.exec(text);
  if (found === null) return null;
  const from = Math.max(0, found.index - AROUND);
  const to = found.index + found[0].length + AROUND;
  const line = text.slice(from, to).toWellFormed().replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${line}${to < text.length ? '…' : ''}`;
}
