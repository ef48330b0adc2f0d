import type { IdKind } from '@attractor/api';

/** The names in the help show which arguments take an id, and of what. `<id>` and `[ids...]` are of what the command is about. */
const ARGUMENTS: Readonly<Record<string, ReadonlyArray<IdKind>>> = { task: ['tsk'], other: ['tsk'], run: ['run'] };

const NOUNS: Readonly<Record<string, ReadonlyArray<IdKind>>> = {
  tasks: ['tsk'],
  runs: ['run'],
  prompts: ['prm'],
  inbox: ['prm'],
  projects: ['prj'],
  schedules: ['sch'],
  templates: ['tpl'],
  budgets: ['bud'],
  artifacts: ['art'],
  attachments: ['att'],
  attempts: ['atg'],
  checks: ['tsk', 'run'],
  stats: ['run'],
};

/** A flag says by its own name what it takes; `--model <id>` and the like are no ids of ours. */
const FLAGS: Readonly<Record<string, ReadonlyArray<IdKind>>> = {
  task: ['tsk'],
  parent: ['tsk'],
  dependsOn: ['tsk'],
  run: ['run'],
  phase: ['pha'],
  project: ['prj'],
};

/** What is named there is of what the command is about: itself, or where a page ends. */
const OF_THE_NOUN: ReadonlySet<string> = new Set(['id', 'after', 'before']);

/** `<id>`, `[ids...]`, or the name alone. Empty: no id. */
export function idKindsOfArgument(name: string, noun: string): ReadonlyArray<IdKind> {
  const bare = name.replaceAll(/[[\]<>.]/g, '');
  if (bare === 'id' || bare === 'ids') return NOUNS[noun] ?? [];
  return ARGUMENTS[bare] ?? [];
}

export function idKindsOfFlag(name: string, noun: string): ReadonlyArray<IdKind> {
  return OF_THE_NOUN.has(name) ? (NOUNS[noun] ?? []) : (FLAGS[name] ?? []);
}
