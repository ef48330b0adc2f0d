import { parseRule } from '@attractor/policy';
import { domainProblem, folderProblem } from './sandbox-values.ts';
import type { SettingEntry } from './source.ts';

/** What is wrong with an entry of a setting that forbids, or null if it can be held to. */
export function limitProblem(entry: SettingEntry): string | null {
  return PROBLEMS[entry.name]?.(entry) ?? null;
}

const PROBLEMS: Readonly<Record<string, (entry: SettingEntry) => string | null>> = {
  'permissions.ask': (entry) => ruleProblem(entry, 'ask'),
  'permissions.deny': (entry) => ruleProblem(entry, 'deny'),
  'sandbox.filesystem.denyRead': ({ value }) => folderProblem(value),
  'sandbox.filesystem.denyWrite': ({ value }) => folderProblem(value),
  'sandbox.network.deniedDomains': ({ value }) => (value === '*' ? null : domainProblem(value)),
};

function ruleProblem({ value }: SettingEntry, behavior: 'ask' | 'deny'): string | null {
  const parsed = parseRule(String(value), behavior, { scope: 'project', file: null, line: null, root: '/' });
  return parsed.ok ? null : parsed.error.message;
}
