import { ownIdentity } from '@attractor/system';

/** How the queue names this process as the owner of a job. */
export function ownerName(): string {
  return JSON.stringify(ownIdentity());
}
