import { isRecord } from '@attractor/base';
import { list, maybe, shaped, type Shaped, text } from '../shape.ts';

const PLAN = {
  /** The goal and what is not part of it, in a few sentences. */
  summary: maybe(text),
  files_to_create: list(shaped({ path: text, purpose: text })),
  files_to_modify: list(shaped({ path: text, changes: text })),
  dependencies: list(text),
  commands: list(text),
  tests: list(shaped({ path: text, coverage: text })),
  /** The steps, if they have to be taken in an order of their own. */
  order: list(text),
  risks: list(text),
};

export const plan = shaped(PLAN);

/** What an agent proposes to do, as data, under the names that other programs know. Texts have no blank lines; paths are within the tree. */
export type Plan = Shaped<typeof PLAN>;

/** What is wrong in a plan: `path` is the place, `expected` says what belongs there. */
export type PlanProblem = { readonly path: string; readonly expected: string };

export type ReadPlan = { readonly plan: Plan } | { readonly problems: ReadonlyArray<PlanProblem> };

type Field = keyof Plan;

/** The text that goes along with a path. */
const NOTES = { files_to_create: 'purpose', files_to_modify: 'changes', tests: 'coverage' } as const;
const TEXTS = ['dependencies', 'commands', 'order', 'risks'] as const;
const FIELDS: ReadonlyArray<string> = ['summary', ...Object.keys(NOTES), ...TEXTS];

/** A plan from outside, or everything that is wrong with it. Lists may be left out. */
export function readPlan(value: unknown): ReadPlan {
  const problems: PlanProblem[] = [];
  const put = (path: string, expected: string): void => void problems.push({ path, expected });
  if (!isRecord(value)) return { problems: [{ path: '$', expected: `an object with ${FIELDS.join(', ')}` }] };
  for (const name of Object.keys(value))
    if (!FIELDS.includes(name)) put(`$.${name}`, `nothing of this name; a plan has ${FIELDS.join(', ')}`);
  const reading: Reading = { value, put };
  const read: Plan = {
    ...summaryOf(reading),
    files_to_create: pathsOf(reading, 'files_to_create').map(({ path, note }) => ({ path, purpose: note })),
    files_to_modify: pathsOf(reading, 'files_to_modify').map(({ path, note }) => ({ path, changes: note })),
    dependencies: textsOf(reading, 'dependencies'),
    commands: textsOf(reading, 'commands'),
    tests: pathsOf(reading, 'tests').map(({ path, note }) => ({ path, coverage: note })),
    order: textsOf(reading, 'order'),
    risks: textsOf(reading, 'risks'),
  };
  if (problems.length === 0 && isEmpty(read)) put('$', 'at least one file, command, test or step');
  return problems.length === 0 ? { plan: read } : { problems };
}

/** Whether an object is meant as a plan: it has a field that only plans have. */
export function isMeantAsPlan(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && ['files_to_create', 'files_to_modify', 'commands', 'tests'].some((name) => name in value);
}

/** The fields of a plan in an object that has others beside them. */
export function planFields(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => FIELDS.includes(name)));
}

/** All that is wrong, in words that say where. */
export function planProblemText(problems: ReadonlyArray<PlanProblem>): string {
  const shown = problems.slice(0, MOST_SHOWN).map(({ path, expected }) => `${path}: expected ${expected}`);
  const more = problems.length > MOST_SHOWN ? `; and ${problems.length - MOST_SHOWN} more` : '';
  return `The plan is not valid: ${shown.join('; ')}${more}.`;
}

const MOST_SHOWN = 10;
const MOST_ENTRIES = 500;
const LONGEST = 10_000;

type Reading = {
  readonly value: Readonly<Record<string, unknown>>;
  readonly put: (path: string, expected: string) => void;
};

function summaryOf({ value, put }: Reading): Pick<Plan, 'summary'> {
  const { summary } = value;
  if (summary === undefined || summary === null) return {};
  if (typeof summary !== 'string' || summary.length > LONGEST) {
    put('$.summary', `a text of at most ${LONGEST} characters`);
    return {};
  }
  const told = summary
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\S\n]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return told === '' ? {} : { summary: told };
}

function entriesOf({ value, put }: Reading, field: Field): ReadonlyArray<readonly [string, unknown]> {
  const written = value[field];
  if (written === undefined || written === null) return [];
  const path = `$.${field}`;
  if (Array.isArray(written) && written.length <= MOST_ENTRIES)
    return written.map((one: unknown, at) => [`${path}[${at}]`, one] as const);
  put(path, `a list with at most ${MOST_ENTRIES} entries`);
  return [];
}

function textsOf(reading: Reading, field: (typeof TEXTS)[number]): ReadonlyArray<string> {
  return entriesOf(reading, field).flatMap(([path, one]) => {
    const told = typeof one === 'string' ? packed(one) : '';
    if (told === '' || told.length > LONGEST) reading.put(path, 'a text that is not empty');
    return [told];
  });
}

type PathEntry = { readonly path: string; readonly note: string };

function pathsOf(reading: Reading, field: keyof typeof NOTES): ReadonlyArray<PathEntry> {
  const note = NOTES[field];
  return entriesOf(reading, field).flatMap(([at, one]): ReadonlyArray<PathEntry> => {
    if (!isRecord(one)) {
      reading.put(at, `an object with path and ${note}`);
      return [];
    }
    const unknown = Object.keys(one).find((name) => name !== 'path' && name !== note);
    if (unknown !== undefined) reading.put(`${at}.${unknown}`, `nothing of this name; an entry has path and ${note}`);
    const told = one[note] ?? '';
    if (typeof told !== 'string' || told.length > LONGEST) reading.put(`${at}.${note}`, 'a text');
    const path = typeof one['path'] === 'string' ? one['path'].trim().replace(/^(?:\.\/)+/, '') : '';
    if (!isInTree(path)) reading.put(`${at}.path`, 'the path of a file, from the top of the repository');
    return [{ path, note: typeof told === 'string' ? packed(told) : '' }];
  });
}

/** As git names files: from the top of the repository, never out of it. */
function isInTree(path: string): boolean {
  return (
    path.length <= 1000 &&
    !/[\p{Cc}\u2028\u2029\\]/u.test(path) &&
    path.split('/').every((part) => part.trim() !== '' && part !== '.' && part !== '..')
  );
}

/** Without blank lines and spaces at the ends of lines: as it comes back from the plan as a text. */
function packed(told: string): string {
  return told
    .split(/[\r\n\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

function isEmpty({ summary: _summary, risks: _risks, ...lists }: Plan): boolean {
  return Object.values(lists).every((entries) => entries.length === 0);
}
