import type { Subject } from './subjects.ts';

/** The tables that a commit changed; null: it is not known which, so it may be any. */
export type WrittenTables = ReadonlySet<string> | null;

/** What a commit changed, and what it was about; null: that may be anything. */
export type Written = { readonly tables: WrittenTables; readonly subjects: ReadonlySet<string> | null };

export const ANYTHING: Written = { tables: null, subjects: null };

/** All rows of a task are written by those who are about it. Others that are about no task may write what belongs to any. */
export function writtenAbout(tables: WrittenTables, about: Iterable<Subject> = []): Written {
  const subjects = new Set(about);
  return { tables, subjects: [...subjects].some((subject) => subject.startsWith('task:')) ? subjects : null };
}

/**
 * Notes what the statements of one transaction change, by their text. Whatever is not plainly a change of one table counts as a change of
 * all: so does a deletion that takes rows of other tables along.
 */
export function createWriteNotes() {
  let tables = new Set<string>();
  let isAny = false;
  return {
    begin: (): void => {
      tables = new Set();
      isAny = false;
    },
    note: (text: string): void => {
      if (CHANGES_NOTHING.test(text)) return;
      const [, act = '', table = ''] = WRITES_ONE.exec(text) ?? [];
      if (table === '' || (act === 'delete from' && OWNERS.has(table))) isAny = true;
      else tables.add(table);
      if (table === 'runs' && WISHES.test(text)) tables.add(RUN_WISHES);
    },
    written: (): WrittenTables => (isAny ? null : tables),
  };
}

export type WriteNotes = ReturnType<typeof createWriteNotes>;

/** Where a queue that machines share keeps its tickets, in tables of its own. */
export const TICKETS_SCHEMA = 'attractor_boss';

/** Of our tables, that is. */
const CHANGES_NOTHING = new RegExp(
  `^(?:select|begin|commit|rollback|savepoint|release)\\b|\\bINSERT INTO ${TICKETS_SCHEMA}\\.`,
  'i',
);
const WRITES_ONE = /^(insert into|update|delete from) "(\w+)"/i;
/**
 * Stands among the names of tables for what people ask of a run: to stop, or to go on in another way. It is in the run's own row, which its
 * worker writes with every step; whoever follows the people need not hear of that.
 */
export const RUN_WISHES = 'run_wishes';
const WISHES = /^(?!update)|"(?:cancel_requested|overrides)" = /i;

/** Tables whose rows take others along. */
export const OWNERS: ReadonlySet<string> = new Set([
  'attempt_groups',
  'jobs',
  'pipelines',
  'projects',
  'runs',
  'tasks',
  'users',
]);

/** Stands before the name of who tells, among the names of tables. */
const BY = '@';
/** Stands before a subject. */
const ABOUT = '#';
/** Who writes it names wishes. Older versions do not, so of theirs any run may have some. */
const NAMES_WISHES = '+';
/** A message has room for 8,000 bytes. */
const MOST_SUBJECTS = 40;

/** For the message to other processes; empty: anything. */
export function writtenText({ tables, subjects }: Written, by: string): string {
  if (tables === null) return '';
  const about =
    subjects === null || subjects.size > MOST_SUBJECTS ? [] : [...subjects].map((name) => `${ABOUT}${name}`);
  return [...tables, ...about, NAMES_WISHES, `${BY}${by}`].join(',');
}

export function readWritten(text: string): Written {
  if (text === '') return ANYTHING;
  const words = text.split(',');
  const subjects = words.flatMap((word) => (word.startsWith(ABOUT) ? [word.slice(ABOUT.length)] : []));
  const named = words.filter((word) => word !== NAMES_WISHES && !word.startsWith(ABOUT) && !word.startsWith(BY));
  const unsaid = named.includes('runs') && !words.includes(NAMES_WISHES) ? [RUN_WISHES] : [];
  return { tables: new Set([...named, ...unsaid]), subjects: subjects.length === 0 ? null : new Set(subjects) };
}

/** Whether this is what somebody told themselves: they know it already. */
export function isFrom(text: string, name: string): boolean {
  return text.endsWith(`${BY}${name}`);
}

export function bothWritten(one: Written, other: Written): Written {
  return { tables: both(one.tables, other.tables), subjects: both(one.subjects, other.subjects) };
}

function both(one: ReadonlySet<string> | null, other: ReadonlySet<string> | null): ReadonlySet<string> | null {
  return one === null || other === null ? null : one.union(other);
}
