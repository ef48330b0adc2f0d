import { fateOf, ownIdentity, type ProcessIdentity } from '@attractor/system';

/** A unique name of this process, stored with what it holds. */
export function ownName(): string {
  return JSON.stringify(ownIdentity());
}

/** `unknown` if this process can't see the other one: then only the lease decides. */
export function ownerState(owner: string): 'alive' | 'dead' | 'unknown' {
  const identity = readIdentity(owner);
  return identity === null ? 'unknown' : fateOf(identity);
}

function readIdentity(owner: string): ProcessIdentity | null {
  try {
    const identity: ProcessIdentity = JSON.parse(owner);
    return identity;
  } catch {
    return null;
  }
}
