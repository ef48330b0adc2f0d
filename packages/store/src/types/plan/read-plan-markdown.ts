import { PLAN_HEADING, PLAN_LISTS } from './plan-markdown.ts';
import { type PlanProblem, type ReadPlan, readPlan } from './plan.ts';

type ListName = (typeof PLAN_LISTS)[keyof typeof PLAN_LISTS];

const LISTS = new Map<string, ListName>(
  Object.entries(PLAN_LISTS).map(([heading, name]) => [heading.toLowerCase(), name]),
);
/** Headings that tell a plan of this form from any other text with headings. */
const TELLING: ReadonlySet<ListName | undefined> = new Set(['files_to_create', 'files_to_modify']);
const NOTES = new Map<ListName, string>([
  ['files_to_create', 'purpose'],
  ['files_to_modify', 'changes'],
  ['tests', 'coverage'],
]);

/** The plan in the text of `planMarkdown`, perhaps edited; sections of other names are left alone. Null: a text of another form. */
export function readPlanMarkdown(text: string): ReadPlan | null {
  const lines = text.split(/\r\n|[\r\n]/);
  const isOurs =
    lines.find((line) => line.trim() !== '')?.trim() === PLAN_HEADING ||
    lines.some((line) => TELLING.has(listOf(line)));
  if (!isOurs) return null;
  const { summary, entries, problems } = gather(lines);
  if (problems.length > 0) return { problems };
  const read = readPlan({ summary, ...valuesOf(entries) });
  return 'plan' in read ? read : { problems: read.problems.map((problem) => inLines(problem, entries)) };
}

type Entry = { readonly list: ListName; readonly line: number; text: string };
type Gathered = {
  readonly summary: string;
  readonly entries: ReadonlyArray<Entry>;
  readonly problems: ReadonlyArray<PlanProblem>;
};

function gather(lines: ReadonlyArray<string>): Gathered {
  const summary: string[] = [];
  const entries: Entry[] = [];
  const problems: PlanProblem[] = [];
  let place: ListName | 'summary' | 'other' = 'summary';
  let last: Entry | undefined;
  for (const [at, line] of lines.entries()) {
    if (/^#{1,6}\s/.test(line)) {
      place = listOf(line) ?? (line.trim() === PLAN_HEADING ? 'summary' : 'other');
      last = undefined;
    } else if (place === 'summary') summary.push(line.replace(/^\\(\\*#)/, '$1'));
    else if (place !== 'other' && line.trim() !== '') {
      const text = /^\s{0,1}(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)?.[1];
      if (text !== undefined) entries.push((last = { list: place, line: at + 1, text: text.trim() }));
      else if (last !== undefined && /^\s/.test(line)) last.text += `\n${line.trim()}`;
      else
        problems.push({ path: `line ${at + 1}`, expected: `an entry that begins with "- ", not ${shortened(line)}` });
    }
  }
  return { summary: summary.join('\n'), entries, problems };
}

function listOf(line: string): ListName | undefined {
  const heading = /^#{1,6}\s+(.*?)[\s:#]*$/.exec(line)?.[1];
  return heading === undefined ? undefined : LISTS.get(heading.toLowerCase());
}

function valuesOf(entries: ReadonlyArray<Entry>): Readonly<Record<string, ReadonlyArray<unknown>>> {
  const values: Record<string, unknown[]> = {};
  for (const { list, text } of entries) {
    const note = NOTES.get(list);
    (values[list] ??= []).push(note === undefined ? textIn(list, text) : pathEntry(text, note));
  }
  return values;
}

/** A command may stand in a code span. */
function textIn(list: ListName, text: string): string {
  const span = list === 'commands' ? leadingSpan(text) : null;
  return span !== null && span.rest === '' ? span.inside : text;
}

function pathEntry(text: string, note: string): Readonly<Record<string, string>> {
  const span = leadingSpan(text);
  if (span !== null) return { path: span.inside, [note]: span.rest.replace(/^\s*(?::|[-–—])\s*/, '').trim() };
  const plain = /^(\S+?)(?::\s+|\s+[-–—]\s+|:?$)([\s\S]*)$/.exec(text);
  return plain === null ? { path: '' } : { path: plain[1] ?? '', [note]: plain[2] ?? '' };
}

function leadingSpan(text: string): { readonly inside: string; readonly rest: string } | null {
  const span = /^(`+)(?!`)([^\n]*?[^`\n])\1(?!`)([\s\S]*)$/.exec(text);
  if (span === null) return null;
  const [, , inside = '', rest = ''] = span;
  return { inside: inside.trim(), rest };
}

/** `$.tests[2].path` as the line in which a person finds it. */
function inLines({ path, expected }: PlanProblem, entries: ReadonlyArray<Entry>): PlanProblem {
  const [, list, at, rest = ''] = /^\$\.(\w+)\[(\d+)\](.*)$/.exec(path) ?? [];
  const entry = entries.filter((one) => one.list === list)[Number(at)];
  return entry === undefined ? { path, expected } : { path: `line ${entry.line} (${list ?? ''}${rest})`, expected };
}

function shortened(line: string): string {
  return JSON.stringify(line.trim().slice(0, 60));
}
