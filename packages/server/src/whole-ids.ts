import { ID_WORDS, type IdKind, isWholeId, replaceIds } from '@attractor/api';
import type { PlatformWorkflow, Refusal } from '@attractor/platform';

type Place = {
  readonly workflow: PlatformWorkflow;
  readonly path: string;
  /** The caller's. Null: all. */
  readonly projects: ReadonlyArray<string> | null;
};

/** `named`: whether it names anything that belongs to a project. */
type Whole<Given> =
  | { readonly ok: true; readonly value: Given; readonly named: boolean }
  | { readonly ok: false; readonly error: Refusal };

/**
 * What a call says, with whole ids in place of keys and parts of ids. What means nothing stays as it is: the route says so. Whoever has
 * some projects only is told of everything else that there is no such thing, whether it exists or not.
 */
export async function wholeIds<Given>({ workflow, path, projects }: Place, given: Given): Promise<Whole<Given>> {
  const refused: Refusal[] = [];
  let named = false;
  const value = await replaceIds(path, given, async (kind, text) => {
    const meant = isWholeId(text) ? null : await workflow.findId({ given: text, kinds: [kind] });
    if (meant?.ok === false) refused.push(meant.error);
    const id = meant?.ok === true ? (meant.value?.id ?? text) : text;
    if (SHARED.has(kind)) return id;
    named = true;
    if (projects !== null && !projects.includes((await workflow.projectOf(id)) ?? ''))
      refused.push({ code: 'not_found', message: `There is no ${ID_WORDS[kind]} ${text}.` });
    return id;
  });
  const [error] = refused;
  return error === undefined ? { ok: true, value: value as Given, named } : { ok: false, error };
}

/** What belongs to no project. */
const SHARED: ReadonlySet<IdKind> = new Set(['tpl']);
