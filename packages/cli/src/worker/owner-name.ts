import { ownIdentity } from '@attractor/agent';

/** How the queue names this process as the owner of a job. */
export function ownerName(): string {
  return JSON.stringify(ownIdentity());
}
