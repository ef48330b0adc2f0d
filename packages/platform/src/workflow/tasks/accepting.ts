import { isCancelled } from '@attractor/facts';

/** A terminal status that means that the work is good. */
export function isAccepting(
  to: string,
  { terminalStatuses }: { readonly terminalStatuses: ReadonlyArray<string> },
): boolean {
  return terminalStatuses.includes(to) && !isCancelled(to);
}
