import { isRecord } from '@attractor/base';
import type { WrittenHooks } from '../settings/session-settings.ts';
import { type Findings, reportProblem } from './findings.ts';
import type { Head } from './head-fields.ts';
import type { FoundFile } from './places.ts';

/**
 * The hooks in the head of an agent or a skill, which count only there. What is no hook is reported as any other hook that can't be parsed:
 * it may be a guard.
 */
export function hooksInHead(
  { origin }: FoundFile,
  { values, lines }: Head,
  within: NonNullable<WrittenHooks['within']>,
): ReadonlyArray<WrittenHooks> {
  const given = values.get('hooks');
  const at = { ...origin, line: lines.get('hooks') ?? null };
  return Object.entries(isRecord(given) ? given : {}).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : [groups]).map((value: unknown) => ({
      event: event === 'Stop' && 'agent' in within ? 'SubagentStop' : event,
      value,
      origin: at,
      within,
    })),
  );
}

/** Hooks that are no table by event can't be told from a guard that was meant. */
export function areHooksReadable(found: FoundFile, { values, lines }: Head, findings: Findings): boolean {
  const given = values.get('hooks');
  if (given === undefined || isRecord(given)) return true;
  const line = lines.get('hooks') ?? null;
  reportProblem(
    findings,
    { origin: found.origin, line },
    '"hooks" must be a table by event. It is not used until this is fixed',
  );
  return false;
}
