import { ledgerText } from './ledger-text.ts';
import type { Ledger } from './ledger.ts';
import type { Span } from '../conversation/compacted.ts';

export type PrefixSource = {
  readonly ledger: Ledger;
  readonly summary: string;
  readonly spans: ReadonlyArray<Span>;
  readonly ledgerChars: number;
};

const OPENING =
  'The conversation so far was compacted. The ledger holds what must not be lost, word for word; the summary stands for the rest. ' +
  'Where they differ the ledger is right. Go on with the work from here; do not begin anew, and do not ask for what is known.';

/** What the model is sent in place of the turns in the spans. */
export function prefixOf({ ledger, summary, spans, ledgerChars }: PrefixSource): string {
  return [
    OPENING,
    `Left out, word for word by \`recall\`: ${spanList(spans)}.`,
    `<ledger>\n${ledgerText(ledger, ledgerChars)}\n</ledger>`,
    `<summary>\n${defused(summary)}\n</summary>`,
  ].join('\n\n');
}

/** Older spans share one row, because their ids count up. */
const NAMED = 12;

function spanList(spans: ReadonlyArray<Span>): string {
  const named = spans.slice(-NAMED).map(({ id, from, to }) => `${id} (turns ${from + 1} to ${to})`);
  const older = spans.slice(0, -NAMED);
  const [first] = older;
  const last = older.at(-1);
  if (first === undefined || last === undefined) return named.join(', ');
  return [`${first.id} to ${last.id} (turns ${first.from + 1} to ${last.to})`, ...named].join(', ');
}

/** A summary repeats what tools printed, so text that looks like our own frame could pass for a person's message. */
function defused(text: string): string {
  return text.replaceAll(/<(?=\/?(?:ledger|summary)\b)/gi, '‹');
}
