import { ownIdentity } from '@attractor/system';

/** The name of this process as the owner of a job in the queue. */
export function ownerName(): string {
  return JSON.stringify(ownIdentity());
}
