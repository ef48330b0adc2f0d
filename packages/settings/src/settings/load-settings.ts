import path from 'node:path';
import type { Variables } from '@attractor/system';
import { claudeProjects } from './claude-projects.ts';
import { examineTrust, type TrustExamination } from '../trust/trust.ts';
import { environmentSettings } from './environment-settings.ts';
import { type EffectiveSetting, mergeSettings } from './merge-settings.ts';
import { BUILT_IN, type SettingAgent, type SettingProblem, type SettingScope } from './origin.ts';
import { limitProblem } from './limit-problem.ts';
import { readSource } from './read-source.ts';
import type { SettingEntry, SourceForm, UnmappedSetting } from './source.ts';
import { repositorySources } from './repository-files.ts';
import { SETTINGS, type SettingRow } from './setting-table.ts';
import { type FileToRead, NO_SOURCES, readFile, readFolder, type Sources, together } from './user-files.ts';

export type SettingsQuery = {
  /** The folder of our own state and its user's `config.json`. */
  readonly home: string;
  /** The person's home folder, where other agents keep their files. */
  readonly userHome: string;
  /** Any folder of the repository. */
  readonly folder: string;
  readonly env: Variables;
  /** Flag → setting and value, such as `['--model', 'model', 'x']`. */
  readonly flags?: ReadonlyArray<readonly [flag: string, setting: string, value: unknown]>;
  /** The folder of an administrator's settings. */
  readonly managedFolder?: string;
  /** Settings that were given for this one run: a file of Claude Code's form by its path, or its text. They win over every other file. */
  readonly given?: ReadonlyArray<GivenSettings>;
  /** The scopes whose files count. Absent: all. Of the others only what forbids counts. */
  readonly only?: ReadonlyArray<FileScope>;
  /** The text of `config.json`, if the caller has read it already. Absent: it is read here. */
  readonly ownFile?: string;
};

export type FileScope = 'user' | 'project' | 'local';

/** `flag`: how it was given. An administrator's (`managed`) win over everything. */
export type GivenSettings = {
  readonly flag: string;
  readonly value: string;
  readonly scope: 'flag' | 'managed';
  /** Codex's form: a text like its config.toml. Absent: Claude Code's. */
  readonly form?: 'codex';
};

/** A value of the repository's that is ignored. */
export type IgnoredSetting = { readonly entry: SettingEntry; readonly reason: string };

/**
 * All settings with their origins. While `refusals` is not empty, no agent may start: a limit may be missing. Problems that concern one
 * family of models (`onlyFor`) are not among them. From a repository that is not
 * trusted in its current state, `settings` has only what forbids; `lost` says which of its limits could not be parsed.
 */
export type LoadedSettings = {
  readonly settings: ReadonlyArray<EffectiveSetting>;
  readonly ignored: ReadonlyArray<IgnoredSetting>;
  readonly unmapped: ReadonlyArray<UnmappedSetting>;
  readonly problems: ReadonlyArray<SettingProblem>;
  readonly refusals: ReadonlyArray<SettingProblem>;
  readonly lost: ReadonlyArray<SettingProblem>;
  readonly trust: TrustExamination;
};

const MANAGED = '/etc/claude-code';

/** Reads all settings that are effective in a folder: of this program and of other agents, in every scope. Writes and runs nothing. */
export function loadSettings(query: SettingsQuery): LoadedSettings {
  const trust = examineTrust(query.folder, { home: query.home });
  const written = userSources(query);
  const user = read(written);
  const managed = read(managedSources(query.managedFolder ?? MANAGED));
  const files = new Set(
    [...userFiles(query), ...written.sources, ...written.problems].map(({ origin }) => origin.file ?? ''),
  );
  const repository = read(repositorySources(trust, files));
  const given = read(together((query.given ?? []).map(givenSource)));
  const counts = (entry: SettingEntry): boolean => isCounted(entry, query.only);
  const obeyed = obey(repository.entries.filter(counts), trust);
  const problems = [
    ...user.problems,
    ...given.problems,
    ...(trust.state === 'trusted' ? repository.problems : repository.problems.map(harmless)),
    ...managed.problems,
  ];
  return {
    settings: mergeSettings([
      [{ name: 'home', key: null, value: query.home, origin: BUILT_IN }],
      user.entries.filter(counts),
      obeyed.followed,
      claudeProjects(written.sources, [trust.root, query.folder]).filter(counts),
      environmentSettings(query.env),
      given.entries.filter(({ origin }) => origin.scope === 'flag'),
      flagSettings(query.flags ?? []),
      managed.entries,
      given.entries.filter(({ origin }) => origin.scope === 'managed'),
    ]),
    ignored: obeyed.ignored,
    unmapped: [...user.unmapped, ...repository.unmapped, ...given.unmapped, ...managed.unmapped],
    problems,
    refusals: problems.filter(({ failsClosed, onlyFor }) => failsClosed && onlyFor === undefined),
    lost:
      trust.state === 'trusted'
        ? []
        : [...repository.problems.filter(({ failsClosed }) => failsClosed), ...obeyed.lost],
    trust,
  };
}

/** A file that is not there was meant to be: it may hold limits. */
function givenSource({ flag, value, scope, form }: GivenSettings): Sources {
  if (form !== undefined) {
    const origin = { scope, agent: form, file: null, line: null, name: flag } as const;
    return { sources: [{ form, text: value, origin }], problems: [] };
  }
  const origin = { scope, agent: 'claude-code', file: null, line: null, name: flag } as const;
  if (value.trimStart().startsWith('{')) return { sources: [{ form: 'claude', text: value, origin }], problems: [] };
  const file = { ...origin, file: path.resolve(value) };
  const read = readFile({ form: 'claude', origin: file });
  if (read.sources.length > 0 || read.problems.length > 0) return read;
  return {
    sources: [],
    problems: [{ origin: file, message: `${flag} names a file that is not there`, failsClosed: true }],
  };
}

function isCounted(entry: SettingEntry, only: SettingsQuery['only']): boolean {
  const { scope } = entry.origin;
  if (only === undefined || (scope !== 'user' && scope !== 'project' && scope !== 'local')) return true;
  return only.includes(scope) || rowOf(entry)?.fromRepository === 'always';
}

function userSources(query: SettingsQuery): Sources {
  const { userHome, env } = query;
  const rules = fileOf(path.join(userHome, '.codex', 'rules', 'x.rules'), 'codex-rules', 'codex');
  const policies = fileOf(path.join(userHome, '.gemini', 'policies', 'x.toml'), 'gemini-policy', 'gemini');
  return together([
    clineSources(env),
    readFolder(path.dirname(policies.origin.file), policies),
    readFolder(path.dirname(rules.origin.file), rules),
    ...userFiles(query).map((file) => (file.form === 'own' ? readFile(file, query.ownFile) : readFile(file))),
  ]);
}

/** Weakest first: what was written for this program wins over what was written for another. */
function userFiles({ home, userHome }: SettingsQuery): ReadonlyArray<FileToRead> {
  return [
    fileOf(path.join(userHome, '.cursor', 'cli-config.json'), 'cursor', 'cursor'),
    fileOf(path.join(userHome, '.qwen', 'settings.json'), 'qwen', 'qwen'),
    fileOf(path.join(userHome, '.config', 'opencode', 'opencode.json'), 'opencode', 'opencode'),
    fileOf(path.join(userHome, '.config', 'opencode', 'opencode.jsonc'), 'opencode', 'opencode'),
    fileOf(path.join(userHome, '.gemini', 'settings.json'), 'gemini', 'gemini'),
    fileOf(path.join(userHome, '.codex', 'config.toml'), 'codex', 'codex'),
    fileOf(path.join(userHome, '.codex', 'hooks.json'), 'codex-hooks', 'codex'),
    fileOf(path.join(userHome, '.claude.json'), 'mcp', 'claude-code'),
    fileOf(path.join(userHome, '.claude', 'settings.json'), 'claude', 'claude-code'),
    fileOf(path.join(home, 'config.json'), 'own', 'attractor'),
  ];
}

function clineSources(env: Variables): Sources {
  const text = env[CLINE];
  if (text === undefined || text.trim() === '') return NO_SOURCES;
  const origin = { scope: 'user', agent: 'cline', file: null, line: null, name: CLINE } as const;
  return { sources: [{ form: 'cline', text, origin }], problems: [] };
}

const CLINE = 'CLINE_COMMAND_PERMISSIONS';

function managedSources(folder: string): Sources {
  const file = fileOf(path.join(folder, 'managed-settings.json'), 'claude', 'claude-code', 'managed');
  return together([readFile(file), readFolder(path.join(folder, 'managed-settings.d'), file)]);
}

function fileOf(file: string, form: SourceForm, agent: SettingAgent, scope: SettingScope = 'user'): FileToRead {
  return { form, origin: { scope, agent, file, line: null, name: null } };
}

type Read = {
  readonly entries: ReadonlyArray<SettingEntry>;
  readonly unmapped: ReadonlyArray<UnmappedSetting>;
  readonly problems: ReadonlyArray<SettingProblem>;
};

function read({ sources, problems }: Sources): Read {
  const readings = sources.map(readSource);
  return {
    entries: readings.flatMap(({ entries }) => entries),
    unmapped: readings.flatMap(({ unmapped }) => unmapped),
    problems: [...problems, ...readings.flatMap((reading) => reading.problems)],
  };
}

/** That file is ignored, so nothing of it can be missing. */
function harmless(problem: SettingProblem): SettingProblem {
  return { ...problem, failsClosed: false };
}

type Obeyed = {
  readonly followed: ReadonlyArray<SettingEntry>;
  readonly ignored: ReadonlyArray<IgnoredSetting>;
  readonly lost: ReadonlyArray<SettingProblem>;
};

function obey(entries: ReadonlyArray<SettingEntry>, trust: TrustExamination): Obeyed {
  const judged = entries.map((entry) => ({
    entry,
    lost: lostLimit(entry, trust),
    reason: reasonAgainst(entry, trust),
  }));
  return {
    followed: judged.flatMap(({ entry, lost, reason }) => (reason === null && lost === null ? [entry] : [])),
    ignored: judged.flatMap(({ entry, lost, reason }) =>
      reason === null && lost === null ? [] : [{ entry, reason: reason ?? `not understood: ${lost}` }],
    ),
    lost: judged.flatMap(({ entry: { origin }, lost: message }) =>
      message === null ? [] : [{ origin, message, failsClosed: false }],
    ),
  };
}

const UNTRUSTED: Readonly<Record<TrustExamination['state'], string | null>> = {
  trusted: null,
  unknown: 'the repository is not trusted',
  changed: 'the repository changed since it was trusted',
};

/** What is wrong with a limit of an untrusted repository: it can't be held to, and would otherwise keep everybody from starting. */
function lostLimit(entry: SettingEntry, { state }: TrustExamination): string | null {
  return state !== 'trusted' && rowOf(entry)?.fromRepository === 'always' ? limitProblem(entry) : null;
}

function reasonAgainst(entry: SettingEntry, { state }: TrustExamination): string | null {
  const row = rowOf(entry);
  const { value } = entry;
  if (row === undefined || row.fromRepository === 'never') return 'never taken from a repository';
  if (row.notFromRepository?.includes(value) === true) return `"${String(value)}" is never taken from a repository`;
  const whyNot = row.whyNotFromRepository?.(entry.key ?? '', value) ?? null;
  if (whyNot !== null) return whyNot;
  return row.fromRepository === 'always' ? null : UNTRUSTED[state];
}

function rowOf({ name }: SettingEntry): SettingRow | undefined {
  return SETTINGS.find((candidate) => candidate.name === name);
}

function flagSettings(flags: NonNullable<SettingsQuery['flags']>): ReadonlyArray<SettingEntry> {
  return flags.map(([flag, name, value]) => ({
    name,
    key: null,
    value,
    origin: { scope: 'flag', agent: 'attractor', file: null, line: null, name: flag },
  }));
}
