import { defined } from '@attractor/base';
import type { ConfiguredFields } from '../types/index.ts';
import type { SessionChanges } from '../contract/session.ts';
import { record, type Lifecycle } from './lifecycle.ts';

/** Recorded at once if no request is under way, otherwise right before the next model request, so that one turn has one configuration. */
export function configure(life: Lifecycle, { profile, by, ...fields }: SessionChanges): void {
  if (profile !== undefined) life.profiles.set(profile.id, profile);
  const wanted: ConfiguredFields = { ...fields, ...(profile === undefined ? {} : { profile: profile.id }) };
  const event = { kind: 'CONFIGURED' as const, ...wanted };
  if (life.state === 'IDLE' && !(fields.model !== undefined && isHooked(life))) record(life, event);
  else life.changes.push({ event, ...defined({ by }) });
}

/** Hooks that may object to another model are asked before its first request. */
function isHooked({ hooks }: Lifecycle): boolean {
  return hooks?.has('PreModelSwitch') === true || hooks?.has('PostModelSwitch') === true;
}
