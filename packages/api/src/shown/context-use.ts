import type { ProviderInfo } from '../server-parts.ts';
import type { RunView } from '../views/run.ts';

export type ContextUse = { readonly used: number; readonly window: number };

/**
 * How much of its model's context a run has filled: what the last request held, and the reply to it. Null if the model is not known, or an
 * agent reports only sums.
 */
export function contextUse({ run, turns }: RunView, providers: ReadonlyArray<ProviderInfo>): ContextUse | null {
  const last = turns.findLast(({ spent }) => spent !== null)?.spent ?? null;
  const known = providers
    .flatMap(({ models }) => models)
    .find(({ id, aliases }) => id === run?.model || aliases.some((alias) => alias === run?.model));
  if (last === null || known === undefined) return null;
  const used = last.inputTokens + last.outputTokens;
  return used > known.contextWindow ? null : { used, window: known.contextWindow };
}
