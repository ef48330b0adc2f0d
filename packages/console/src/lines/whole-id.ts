import { type ApiClient, ID_WORDS, type IdKind, isWholeId } from '@attractor/api';
import { CommandFailure, EXIT } from '../exit.ts';
import { valueOf } from './value-of.ts';

/**
 * The id of what a person called by its key, or by a part of its id. A whole id stays as it is, as do words that may be names. Several that
 * may be meant stop the command, with their names.
 */
export async function wholeId(
  client: ApiClient,
  { given, kinds }: { readonly given: string; readonly kinds: ReadonlyArray<IdKind> },
): Promise<string> {
  if (kinds.length === 0 || isWholeId(given) || !CALLED.test(given)) return given;
  const found = await client.ids.find(given, kinds);
  if (found.ok || found.error.code !== 'not_found') return valueOf(found).id;
  // Of several ids each is judged for itself, and what is wrong with the line is said first.
  if (given.includes('_') || kinds.some((kind) => NAMED.has(kind))) return given;
  throw new CommandFailure(
    `there is no ${kinds.map((kind) => ID_WORDS[kind]).join(' or ')} ${given}. ${listed(kinds)}`,
    EXIT.notFound,
  );
}

/** A key, the beginning of an id, or a part of one. */
const CALLED = /^(?:[a-z][a-z0-9]+-[0-9]+(?:\.q?[0-9]+)?|[a-z]{3}_[0-9a-z]*|[0-9a-hjkmnp-tv-z]{4,27})$/i;

/** They may be called by other names too, which are tried after. */
const NAMED: ReadonlySet<IdKind> = new Set(['prj', 'sch', 'tpl']);

const LISTS: Readonly<Partial<Record<IdKind, string>>> = {
  tsk: 'tasks list',
  run: 'runs list',
  prm: 'prompts list --all',
  sch: 'schedules list',
  bud: 'budgets list',
  art: 'artifacts list TASK',
  att: 'attachments list TASK',
  atg: 'attempts list TASK',
  pha: 'phases TASK',
};

function listed(kinds: ReadonlyArray<IdKind>): string {
  const commands = kinds.flatMap((kind) => (LISTS[kind] === undefined ? [] : [`\`attractor ${LISTS[kind]}\``]));
  return `See ${commands.join(' or ')}.`;
}
