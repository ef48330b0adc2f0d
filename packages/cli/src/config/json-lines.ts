import type { EffectiveFile } from '@attractor/headless';
import {
  describeProblem,
  type LoadedSettings,
  type SettingEntry,
  type SettingOrigin,
  untrustedNotice,
} from '@attractor/settings';
import { shownValue } from './shown-value.ts';

/** One object per line: `setting` for each setting, then `file`, `ignored`, `unmapped`, `problem`, and `trust` at the end. */
export function jsonLines(loaded: LoadedSettings, effective: ReadonlyArray<EffectiveFile>): ReadonlyArray<string> {
  const settings = loaded.settings.map(({ row, entries, overridden }) => ({
    type: 'setting',
    name: row.name,
    value: valueOf(row.merge, entries),
    from: entries.map(entryOf),
    overridden: overridden.map(entryOf),
  }));
  const files = effective.map(({ kind, name, origin }) => ({ type: 'file', kind, name, origin: originOf(origin) }));
  const ignored = loaded.ignored.map(({ entry, reason }) => ({
    type: 'ignored',
    name: entry.name,
    ...entryOf(entry),
    reason,
  }));
  const unmapped = loaded.unmapped.map(({ name, origin, reason }) => ({
    type: 'unmapped',
    name,
    origin: originOf(origin),
    reason,
  }));
  const problems = loaded.problems.map((problem) => ({
    type: 'problem',
    message: describeProblem(problem),
    origin: originOf(problem.origin),
    failsClosed: problem.failsClosed,
    ...(problem.onlyFor === undefined ? {} : { onlyFor: problem.onlyFor }),
  }));
  const { root, state } = loaded.trust;
  const trust = {
    type: 'trust',
    root,
    state,
    files: loaded.trust.files.map((file) => file.path),
    notice: untrustedNotice(loaded.trust),
  };
  return [...settings, ...files, ...ignored, ...unmapped, ...problems, trust].map((line) => JSON.stringify(line));
}

function valueOf(merge: string, entries: ReadonlyArray<SettingEntry>): unknown {
  if (merge === 'replace') return entries[0] === undefined ? null : shownValue(entries[0]);
  if (merge === 'by-key') return Object.fromEntries(entries.map((entry) => [entry.key ?? '', shownValue(entry)]));
  return entries.map(shownValue);
}

function entryOf(entry: SettingEntry): object {
  return {
    ...(entry.key === null ? {} : { key: entry.key }),
    value: shownValue(entry),
    origin: originOf(entry.origin),
  };
}

function originOf({ scope, agent, file, line, name }: SettingOrigin): object {
  return {
    scope,
    agent,
    ...(file === null ? {} : { file }),
    ...(line === null ? {} : { line }),
    ...(name === null ? {} : { name }),
  };
}
