import type { Failure } from '../protocol.ts';

/** One rule of a service. It checks the request and returns what is wrong, or nothing. */
export type Check = () => Failure | undefined;

export function invalid(message: string, where: Pick<Failure, 'param' | 'code' | 'status'> = {}): Failure {
  return { kind: 'invalid_request', message, ...where };
}

/** Services report one mistake at a time, so the first rule that fails decides. */
export function firstFailure(checks: readonly Check[]): Failure | undefined {
  for (const check of checks) {
    const failure = check();
    if (failure) return failure;
  }
  return undefined;
}

/** Applies one rule to each item in turn. */
export function firstOf<T>(
  items: readonly T[],
  rule: (item: T, index: number) => Failure | undefined,
): Failure | undefined {
  for (const [index, item] of items.entries()) {
    const failure = rule(item, index);
    if (failure) return failure;
  }
  return undefined;
}

export function firstDuplicate(values: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const value of values) {
    if (seen.has(value)) return value;
    seen.add(value);
  }
  return undefined;
}
