import type { ReasoningEffort } from '@attractor/llm';

/** The effort that suits a number of thinking tokens; null: the service decides. Undefined: it is no such number. */
export function effortOf(tokens: unknown): ReasoningEffort | null | undefined {
  if (tokens === null || tokens === 0) return null;
  if (typeof tokens !== 'number' || !Number.isFinite(tokens) || tokens < 0) return undefined;
  if (tokens <= 4_096) return 'low';
  return tokens <= 16_384 ? 'medium' : 'high';
}

export const EFFORTS: ReadonlyArray<ReasoningEffort> = ['low', 'medium', 'high', 'xhigh', 'max'];

/** As a person names it, or as a whole number. Undefined: there is no such effort. */
export function effortNamed(named: unknown): ReasoningEffort | undefined {
  if (!Number.isSafeInteger(named) || Number(named) < 0) return EFFORTS.find((one) => one === named);
  return STEPS.find(([, most]) => Number(named) <= most)?.[0] ?? 'max';
}

/** Our own: nobody publishes which number means what. */
const STEPS: ReadonlyArray<readonly [effort: ReasoningEffort, most: number]> = [
  ['low', 50],
  ['medium', 85],
  ['high', 100],
];
