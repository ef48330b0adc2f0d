import { isWholeId, replaceIds } from '@attractor/api';
import type { PlatformWorkflow, Refusal } from '@attractor/platform';

/** What a call says, with whole ids in place of keys and parts of ids. What means nothing stays as it is: the route says so. */
export async function wholeIds<Given>(
  { workflow, path }: { readonly workflow: PlatformWorkflow; readonly path: string },
  given: Given,
): Promise<{ readonly ok: true; readonly value: Given } | { readonly ok: false; readonly error: Refusal }> {
  const refused: Refusal[] = [];
  const value = await replaceIds(path, given, async (kind, text) => {
    if (isWholeId(text)) return text;
    const meant = await workflow.findId({ given: text, kinds: [kind] });
    if (!meant.ok) refused.push(meant.error);
    return meant.ok ? (meant.value?.id ?? text) : text;
  });
  const [error] = refused;
  return error === undefined ? { ok: true, value: value as Given } : { ok: false, error };
}
