import type { SettingOrigin, SettingProblem } from '../settings/origin.ts';
import type { UnmappedSetting } from '../settings/source.ts';

/** Findings while reading files, in the same form as for settings: what is wrong, and what has no counterpart here. */
export type Findings = {
  readonly problems: SettingProblem[];
  readonly unmapped: UnmappedSetting[];
};

export function noFindings(): Findings {
  return { problems: [], unmapped: [] };
}

export type FindingPlace = { readonly origin: SettingOrigin; readonly line: number | null };

/** Concerns one skill, command or agent: it is left out, or a part of it is. Nothing else depends on it, so nothing is stopped. */
export function reportProblem({ problems }: Findings, { origin, line }: FindingPlace, message: string): void {
  problems.push({ origin: { ...origin, line }, message, failsClosed: false });
}

export function reportUnmapped({ unmapped }: Findings, { origin, line }: FindingPlace, what: Unmapped): void {
  unmapped.push({ name: what.name, origin: { ...origin, line }, reason: what.reason });
}

export type Unmapped = { readonly name: string; readonly reason: string };
