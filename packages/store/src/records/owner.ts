import { fateOf, ownIdentity, type ProcessIdentity } from '@attractor/system';

/** Names this process beyond doubt, as it is stored with what it holds. */
export function ownName(): string {
  return JSON.stringify(ownIdentity());
}

/** `unknown` where this process can't see the other one: then only the lease decides. */
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
