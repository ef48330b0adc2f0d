import type { Ledger, OpenItem, LedgerEntry } from './ledger.ts';

/**
 * The ledger as the model reads it, in at most about `maxChars`. Whatever does not fit is cut in this order, and every gap is marked: the
 * oldest files; the middle of long messages, longest first, except lines that forbid or demand; the oldest decisions; the middle of the
 * plan; messages from the second on, oldest first. The first message, the last one and the open steps always stay, shortened if necessary.
 */
export function ledgerText(ledger: Ledger, maxChars: number): string {
  const share = Math.max(0, maxChars - sizeOfOpen(ledger));
  const words = boundedWords(ledger.words, Math.floor(share * 0.6));
  const rest = share - words.join('').length;
  const sections: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ['What the person said, word for word (later words win over earlier ones)', words],
    ['Answers and refusals', latestWithin(ledger.decisions.map(shown), Math.floor(rest * 0.4))],
    [
      'The plan that the person approved',
      ledger.plan === null ? [] : [truncateMiddle(ledger.plan, Math.floor(rest * 0.35))],
    ],
    ['Files changed so far', latestWithin(ledger.files, Math.floor(rest * 0.2))],
    ['Open steps', openLines(ledger)],
  ];
  return sections.flatMap(([title, rows]) => (rows.length === 0 ? [] : [`## ${title}`, ...rows])).join('\n');
}

function shown({ turn, text, isSteering }: LedgerEntry): string {
  return `[turn ${turn}${isSteering ? ', while you worked' : ''}]\n${text}`;
}

function openLines({ open, doneSteps }: Ledger): ReadonlyArray<string> {
  const done = doneSteps === 0 ? [] : [`(${doneSteps} of the list are done)`];
  return open.length === 0 ? [] : [...open.map(openLine), ...done];
}

export function openLine({ id, text, isActive }: OpenItem): string {
  return `${id} ${isActive ? '(in progress)' : '(pending)'} ${text}`;
}

function sizeOfOpen(ledger: Ledger): number {
  return openLines(ledger).join('\n').length;
}

/** Long messages lose their middle before any message is left out. */
function boundedWords(said: ReadonlyArray<LedgerEntry>, max: number): ReadonlyArray<string> {
  const sizes = [Infinity, 8000, 2000, 600];
  for (const size of sizes) {
    const rows = said.map((one) => shown({ ...one, text: shortened(one.text, size) }));
    if (lengthOf(rows) <= max) return rows;
  }
  const [first, ...later] = said.map((one) => shown({ ...one, text: shortened(one.text, 600) }));
  if (first === undefined) return [];
  const opening = truncateMiddle(first, Math.max(200, max >> 1));
  const kept = latestWithin(later, Math.max(200, max - opening.length));
  return [opening, ...kept];
}

/** Lines that forbid or demand something. */
const DEMANDS = /\b(?:must|never|always|only|don'?t|do not|no longer|avoid|keep|use|instead|except|without|unless)\b/i;

/** The head, the tail, and as many lines in between that demand something as fit. */
function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const edge = Math.floor(max / 3);
  const demands: string[] = [];
  let room = edge;
  for (const line of text.slice(edge, -edge).split('\n')) {
    if (!DEMANDS.test(line) || line.length > room) continue;
    demands.push(line);
    room -= line.length + 1;
  }
  const gap = `[… ${text.length - 2 * edge} characters left out${demands.length === 0 ? '' : ', of them'} …]`;
  return [text.slice(0, edge), gap, ...demands, text.slice(-edge)].join('\n');
}

/** Cut in the middle to at most about `max`. */
export function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const edge = Math.floor(max / 2);
  return `${text.slice(0, edge)}\n[… ${text.length - 2 * edge} characters left out …]\n${text.slice(text.length - edge)}`;
}

/** The last rows that fit, and how many do not. At least one stays, shortened if necessary. */
function latestWithin(rows: ReadonlyArray<string>, max: number): ReadonlyArray<string> {
  let from = rows.length;
  for (let size = 0; from > 0; from--) {
    size += (rows[from - 1]?.length ?? 0) + 1;
    if (size > max) break;
  }
  const last = rows.at(-1);
  const kept =
    from === rows.length && last !== undefined ? [truncateMiddle(last, Math.max(200, max))] : rows.slice(from);
  const gone = rows.length - kept.length;
  return gone === 0 ? kept : [`[… ${gone} earlier left out: recall shows them …]`, ...kept];
}

function lengthOf(rows: ReadonlyArray<string>): number {
  return rows.reduce((sum, row) => sum + row.length + 1, 0);
}
