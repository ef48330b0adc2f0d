import { isRecord } from '@attractor/base';
import type { ForeignReading } from './reading.ts';

/** Profiles that codex brings, as what `sandbox_mode` calls them. */
const BUILT_IN: Readonly<Record<string, string>> = {
  ':read-only': 'read-only',
  ':workspace': 'workspace-write',
  ':danger-full-access': 'danger-full-access',
};

export type ChosenProfile = { readonly line: number | null; readonly profiles: unknown };

/**
 * `default_permissions`: the profile that counts, as a `sandbox_mode`; null if there is none of this name. Of one that a person wrote,
 * what may not be read or written at all becomes rules; what it opens has no place here.
 */
export function readProfile(reading: ForeignReading, name: unknown, { line, profiles }: ChosenProfile): string | null {
  if (typeof name !== 'string') return null;
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name] ?? null;
  const given = isRecord(profiles) && Object.hasOwn(profiles, name) ? profiles[name] : null;
  if (!isRecord(given)) return null;
  const { extends: above, filesystem, ...others } = given;
  for (const [where, access] of isRecord(filesystem) ? accessesIn(filesystem) : []) {
    const at = reading.under(`permissions.${name}.filesystem.${where}`);
    if (access === 'none' || access === 'deny') at.entry('permissions.deny', `Read(${where})`, { line });
    else if (access === 'read') at.entry('permissions.deny', `Edit(${where})`, { line });
    else reading.leave(`permissions.${name}.filesystem.${where}`, line, 'nothing is opened by it');
  }
  for (const key of Object.keys(others))
    if (key !== 'description') reading.leave(`permissions.${name}.${key}`, line, 'nothing is opened by it');
  return above === undefined ? 'workspace-write' : readProfile(reading, above, { line, profiles });
}

/** Paths as rules have them. What begins with a colon stands for the workspace, or for parts of the machine that are read anyway. */
function accessesIn(
  table: Readonly<Record<string, unknown>>,
): ReadonlyArray<readonly [where: string, access: unknown]> {
  return Object.entries(table).flatMap(([key, access]) => {
    const isNamed = key.startsWith(':');
    if (isRecord(access)) return isNamed ? accessesIn(access) : [];
    if (isNamed || key === '.' || key === '/') return [];
    return [[key.startsWith('/') ? `/${key}` : key, access] as const];
  });
}
