import { done } from '@attractor/base';
import {
  findIdByKey,
  findIds,
  findProjectByKey,
  findTemplateByName,
  type IdKind,
  isIdKind,
  listProjects,
  type Reader,
  readKey,
  refuse,
  type Result,
} from '@attractor/store';
import type { FoundId, IdSearch } from './contract.ts';

export async function findId(db: Reader, { given, kinds, projectIds }: IdSearch): Promise<Result<FoundId | null>> {
  const containing = (part: string, of: ReadonlyArray<IdKind>) => findContaining(db, { part, kinds: of, projectIds });
  const key = readKey(given);
  if (key !== null) {
    const id = kinds.includes(key.kind) ? await findIdByKey(db, key) : null;
    return id === null ? done(null) : onlyOne(await containing(id, [key.kind]), given);
  }
  const project = kinds.includes('prj') ? await findProjectByKey(db, given.toUpperCase()) : null;
  if (project !== null && projectIds?.includes(project.id) !== false)
    return done({ id: project.id, key: project.key, name: project.name, kind: 'prj' });
  const begins = BEGINNING.exec(given)?.[1] ?? '';
  if (isIdKind(begins)) return onlyOne(kinds.includes(begins) ? await containing(given, [begins]) : NONE, given);
  if (!PART.test(given) || (await isName(db, { given, kinds }))) return done(null);
  return onlyOne(await containing(given.toLowerCase(), kinds), given);
}

const BEGINNING = /^([a-z]{3})_[0-9a-z]{0,27}$/;
/** The letters and digits of ids. */
const PART = /^[0-9a-hjkmnp-tv-z]{4,27}$/i;

/** Projects and templates have names as well, which may look like a part of an id. */
async function isName(db: Reader, { given, kinds }: IdSearch): Promise<boolean> {
  if (kinds.includes('prj') && (await listProjects(db)).some(({ name }) => name === given)) return true;
  return kinds.includes('tpl') && (await findTemplateByName(db, given)) !== null;
}

const SHOWN = 5;

type Part = {
  readonly part: string;
  readonly kinds: ReadonlyArray<IdKind>;
  readonly projectIds: ReadonlyArray<string> | undefined;
};

type Found = { readonly found: ReadonlyArray<FoundId>; readonly total: number };

const NONE: Found = { found: [], total: 0 };

async function findContaining(db: Reader, { part, kinds, projectIds }: Part): Promise<Found> {
  let all = NONE;
  for (const kind of kinds) {
    const { found, total } = await findIds(db, kind, { part, limit: SHOWN, projectIds });
    all = { found: [...all.found, ...found.map((named) => ({ ...named, kind }))], total: all.total + total };
  }
  return all;
}

function onlyOne({ found, total }: Found, given: string): Result<FoundId | null> {
  const [first, second] = found;
  if (first === undefined || second === undefined) return done(first ?? null);
  const exact = found.find(({ id }) => id === given);
  if (exact !== undefined) return done(exact);
  const shown = found.slice(0, SHOWN).map(({ key, name }) => `${key} (${oneLine(name)})`);
  const more = total > shown.length ? ` and ${total - shown.length} more` : '';
  return refuse('conflict', `"${given}" may mean ${shown.join(', ')}${more}. Give more of the id, or the key.`);
}

const LONGEST_NAME = 60;

function oneLine(name: string): string {
  const text = name.replaceAll(/\s+/g, ' ');
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
}
