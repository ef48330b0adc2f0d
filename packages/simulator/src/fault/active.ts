import type { Fault, FaultKind, FaultOf, Turn } from '../script/types.ts';

/** Faults that change what is said, not whether it arrives: they apply however often the turn is requested. */
const LASTING: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'malformed_arguments',
  'tool_ids',
  'unknown_tool',
  'truncated',
  'refusal',
  'content_filter',
  'unknown_events',
  'framing',
  'slow',
]);

/** The faults that apply to this attempt. All others hit the first attempt only, unless the script says how many. */
export function activeFaults(turn: Turn, attempt: number): Fault[] {
  const faults = turn.fault === undefined ? [] : Array.isArray(turn.fault) ? turn.fault : [turn.fault];
  return faults.filter((fault) => {
    const times = fault.times ?? (LASTING.has(fault.kind) ? 'forever' : 1);
    const since = attempt - (fault.after ?? 0);
    return since >= 1 && (times === 'forever' || since <= times);
  });
}

export function findFault<K extends FaultKind>(faults: readonly Fault[], kind: K): FaultOf<K> | undefined {
  return faults.find((fault): fault is FaultOf<K> => fault.kind === kind);
}
