import type { IdKind } from '@attractor/platform';

/** Which ids stand in the path of a route, by the noun that it begins with. */
const BY_NOUN: Readonly<Record<string, IdKind>> = {
  tasks: 'tsk',
  runs: 'run',
  prompts: 'prm',
  projects: 'prj',
  artifacts: 'art',
  attachments: 'att',
  attempts: 'atg',
  templates: 'tpl',
  schedules: 'sch',
  budgets: 'bud',
};

/** Which ids stand in fields of queries and bodies, and in further places of a path. */
const BY_FIELD: Readonly<Record<string, IdKind>> = {
  taskId: 'tsk',
  taskIds: 'tsk',
  parentTaskId: 'tsk',
  dependsOn: 'tsk',
  dependsOnId: 'tsk',
  other: 'tsk',
  ids: 'tsk',
  runId: 'run',
  promptId: 'prm',
  projectId: 'prj',
  project_id: 'prj',
  session_id: 'tsk',
  projects: 'prj',
  phaseId: 'pha',
};

/** What is named there is of the kind that the path begins with: itself, or where a page ends. */
const OF_THE_NOUN: ReadonlySet<string> = new Set(['id', 'after', 'before']);

/** Lists whose items have such fields again. */
const INNER: ReadonlySet<string> = new Set(['answers', 'action']);

/** Null: no id stands there. */
function idKindAt(path: string, place: string): IdKind | null {
  const noun = path.replace(/^\/api\/(?:views\/)?/, '').split('/')[0] ?? '';
  if (OF_THE_NOUN.has(place)) return BY_NOUN[noun] ?? null;
  return BY_FIELD[place] ?? null;
}

/** Ids as they are made: whoever gives one is not asked what they mean. */
export function isWholeId(given: string): boolean {
  return /^[a-z]{3}_[0-9a-z]{27}$/.test(given);
}

/** The same value with every id in it replaced by what `whole` makes of it. */
export async function replaceIds(
  path: string,
  value: unknown,
  whole: (kind: IdKind, given: string) => Promise<string>,
): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item: unknown) => replaceIds(path, item, whole)));
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const fields = Object.entries(value).map(async ([name, field]: [string, unknown]) => {
    if (INNER.has(name)) return [name, await replaceIds(path, field, whole)] as const;
    const kind = idKindAt(path, name);
    return [name, kind === null ? field : await wholeField(field, (given) => whole(kind, given))] as const;
  });
  return Object.fromEntries(await Promise.all(fields));
}

async function wholeField(field: unknown, whole: (given: string) => Promise<string>): Promise<unknown> {
  if (typeof field === 'string') return whole(field);
  return Array.isArray(field) ? Promise.all(field.map((item: unknown) => wholeField(item, whole))) : field;
}
