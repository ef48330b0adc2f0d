import type { ConfiguredFields } from '../types/index.ts';
import type { SessionChanges } from '../contract/session.ts';
import { record, type Lifecycle } from './lifecycle.ts';

/** Recorded at once if no request is under way, otherwise right before the next model request, so that one turn has one configuration. */
export function configure(life: Lifecycle, { profile, ...fields }: SessionChanges): void {
  if (profile !== undefined) life.profiles.set(profile.id, profile);
  const wanted: ConfiguredFields = { ...fields, ...(profile === undefined ? {} : { profile: profile.id }) };
  const event = { kind: 'CONFIGURED' as const, ...wanted };
  if (life.state === 'IDLE') record(life, event);
  else life.changes.push(event);
}
