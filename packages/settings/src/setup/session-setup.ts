import { statSync } from 'node:fs';
import path from 'node:path';
import { defined, isRecord } from '@attractor/base';
import { type PermissionMode, type PermissionRule, readRules } from '@attractor/policy';
import type { VariableChoice, Variables } from '@attractor/system';
import type { HookDefinition } from '../hooks/definition.ts';
import { type HookReading, readHookDefinitions } from '../hooks/read-definitions.ts';
import { type FileScope, loadSettings, type LoadedSettings, type SettingsQuery } from '../settings/load-settings.ts';
import { describeProblem, type SettingProblem, type Sourced } from '../settings/origin.ts';
import { type SandboxSettings, sandboxSettings } from '../settings/sandbox-settings.ts';
import { type SessionSettings, sessionSettings, type WrittenRule } from '../settings/session-settings.ts';
import { type OutputStyle, styleNamed } from '../styles/output-style.ts';
import { untrustedNotice } from '../trust/trust.ts';
import { openUserFiles } from '../user-files/open-user-files.ts';
import type { UserFiles, UserFilesQuery } from '../user-files/read-user-files.ts';
import { foldersOfRuns } from './folders-of-runs.ts';
import { leftOut } from './left-out.ts';
import { disabledServers } from './disabled-servers.ts';
import { narrowFiles, narrowServers, type Narrowing } from './narrow.ts';
import { areHooksOff, hooksOfSettings, withTrusted } from './hooks-of-settings.ts';

export type SetupQuery = Pick<SettingsQuery, 'home' | 'userHome' | 'env' | 'folder' | 'ownFile' | 'given' | 'only'> &
  Pick<UserFilesQuery, 'pluginFolders'>;

/**
 * What a person, and a repository that they trust, wrote down for sessions of one folder: read once, at one moment, and unaffected by later
 * changes. Of a repository that was not trusted in its state at that moment only what forbids is in it.
 */
export type SessionSetup = {
  readonly home: string;
  readonly userHome: string;
  readonly env: Variables;
  /** The top of what sessions work in: the repository's folder, or a worktree of it. */
  readonly root: string;
  readonly loaded: LoadedSettings;
  readonly asks: SessionSettings['asks'];
  readonly mode: PermissionMode;
  readonly isBypassDisabled: boolean;
  readonly rules: ReadonlyArray<PermissionRule>;
  /** Further folders that tools may work in. */
  readonly folders: ReadonlyArray<string>;
  /** What commands may not read, write or reach. */
  readonly limits: SandboxSettings['limits'];
  /** Patterns of commands that run outside the sandbox. */
  readonly excludedCommands: ReadonlyArray<string>;
  /** What commands see of the environment. */
  readonly variables: VariableChoice;
  readonly hooks: ReadonlyArray<HookDefinition>;
  /** Those of them that plugins, agents and skills bring. */
  readonly hooksOfFiles: ReadonlyArray<HookDefinition>;
  readonly servers: SessionSettings['mcpServers'];
  /** Servers of the repository that a person switched off, by name. */
  readonly disabledServers: ReadonlyArray<string>;
  readonly files: UserFiles;
  /** What the run goes without. Absent: nothing. */
  readonly narrowing?: Narrowing;
  /** Folders of plugins that were named for this run. Absent: none. */
  readonly pluginFolders?: ReadonlyArray<string>;
  /** The scopes whose instruction files count. Absent: all. */
  readonly only?: ReadonlyArray<FileScope>;
  /** The command of the person's own status line; null: none is set. */
  readonly statusLine: string | null;
  /** The style of answers; null: none is set. */
  readonly style: OutputStyle | null;
  /** Whether a conversation is made shorter before its window is full. */
  readonly compacts: boolean;
  /** For the person, one line each: what is written down and not used. */
  readonly unused: ReadonlyArray<string>;
  /** What can't be parsed. While there is any, no session starts: it may be a limit. */
  readonly problems: ReadonlyArray<SetupProblem>;
  /** Limits that can't be parsed and that were written for the models of one family: they keep only those from starting. */
  readonly lostLimits: ReadonlyArray<{ readonly family: 'gemini'; readonly message: string }>;
};

export type SetupProblem = { readonly about: 'settings' | 'rules' | 'sandbox' | 'hooks'; readonly message: string };

/** Reads everything that a session is set up with. Writes and runs nothing. */
export async function readSetup(query: SetupQuery): Promise<SessionSetup> {
  const { home, userHome, env, folder } = query;
  const loaded = loadSettings(query);
  const settings = sessionSettings(loaded);
  const rules = readRules(settings.rules);
  const sandbox = sandboxSettings(settings, { root: folder, userHome });
  const { only, pluginFolders } = query;
  const { files, hooks: ofPlugins } = await readFiles({ home, userHome, loaded, ...defined({ only, pluginFolders }) });
  const own = hooksOfSettings(loaded, { userHome });
  const hooksOfFiles = withTrusted(ofPlugins.definitions, { trust: loaded.trust, home });
  const valueOf = (name: string): unknown => loaded.settings.find(({ row }) => row.name === name)?.entries[0]?.value;
  const wanted = valueOf('outputStyle');
  const placeOf = (value: string): string => path.resolve(folder, value.replace(/^~(?=\/|$)/, userHome));
  const isThere = (value: string): boolean => isFolder(placeOf(value));
  const style = typeof wanted === 'string' ? styleNamed(files.styles, wanted) : null;
  return {
    home,
    userHome,
    env,
    root: loaded.trust.root,
    loaded,
    asks: settings.asks,
    mode: settings.mode.value,
    isBypassDisabled: settings.isBypassDisabled,
    rules: rules.rules,
    folders: settings.additionalDirectories.map(({ value }) => placeOf(value)).filter(isFolder),
    limits: sandbox.limits,
    excludedCommands: sandbox.excludedCommands,
    variables: settings.variables,
    hooks: [...withTrusted(own.definitions, { trust: loaded.trust, home }), ...hooksOfFiles],
    hooksOfFiles,
    servers: new Map([...serversOf(files), ...settings.mcpServers]),
    disabledServers: disabledServers(loaded, settings),
    files,
    ...defined({ only, pluginFolders }),
    statusLine: statusLineOf(loaded),
    style,
    compacts: valueOf('autoCompactEnabled') !== false,
    unused: [
      ...asideOf(loaded),
      ...rules.unused,
      ...leftOut({ loaded, rules: rules.rules, folders: settings.additionalDirectories, isThere }),
      ...sandbox.unused,
      ...own.unused,
      ...files.problems.map(describeProblem),
      ...ofPlugins.unused,
      ...missingStyle(wanted, style !== null),
    ],
    problems: [
      ...about('settings', loaded.refusals.map(describeProblem)),
      ...about('rules', rules.problems),
      ...about('sandbox', sandbox.problems),
      ...about('hooks', [...own.problems, ...ofPlugins.problems]),
    ],
    lostLimits: loaded.problems.flatMap(lostLimit),
  };
}

type FilesQuery = Pick<SessionSetup, 'home' | 'userHome' | 'loaded' | 'only' | 'pluginFolders'>;

async function readFiles(query: FilesQuery): Promise<{ readonly files: UserFiles; readonly hooks: HookReading }> {
  const { home, userHome, loaded, only, pluginFolders } = query;
  const files = await openUserFiles({ home, userHome, trust: loaded.trust, ...defined({ only, pluginFolders }) });
  const inFiles = [...files.plugins, ...files.agents, ...files.skills].flatMap(({ hooks }) => hooks);
  return { files, hooks: readHookDefinitions(areHooksOff(loaded) ? [] : inFiles) };
}

/** A person's files as they are now, with the hooks that they bring. */
export type FilesNow = {
  readonly files: UserFiles;
  readonly hooks: ReadonlyArray<HookDefinition>;
  /** Of plugins, but for those that settings define themselves. */
  readonly servers: SessionSetup['servers'];
};

/**
 * Reads a person's files again, with further folders of plugins. A repository's count in the bytes that were trusted when the setup was
 * read. What can't be parsed may be a guard: then none of them is taken, and the text says why.
 */
export async function readFilesAgain(
  setup: SessionSetup,
  further: ReadonlyArray<string> = [],
): Promise<FilesNow | string> {
  const { files, hooks } = await readFiles({ ...setup, pluginFolders: [...(setup.pluginFolders ?? []), ...further] });
  const [problem] = hooks.problems;
  if (problem !== undefined) return problem;
  const ofSettings = sessionSettings(setup.loaded).mcpServers;
  const { narrowing = {} } = setup;
  return {
    files: narrowFiles(files, narrowing),
    hooks: withTrusted(hooks.definitions, { trust: setup.loaded.trust, home: setup.home }),
    servers: narrowServers(new Map(serversOf(files).filter(([name]) => !ofSettings.has(name))), narrowing),
  };
}

function serversOf({ plugins }: UserFiles): ReadonlyArray<readonly [string, Sourced<unknown>]> {
  return plugins.flatMap(({ mcpServers }) => [...mcpServers]);
}

function lostLimit(problem: SettingProblem): SessionSetup['lostLimits'] {
  const { failsClosed, onlyFor: family } = problem;
  return failsClosed && family !== undefined ? [{ family, message: describeProblem(problem) }] : [];
}

function statusLineOf({ settings }: LoadedSettings): string | null {
  const value = settings.find(({ row }) => row.name === 'statusLine')?.entries[0]?.value;
  return isRecord(value) && typeof value['command'] === 'string' ? value['command'] : null;
}

function about(part: SetupProblem['about'], messages: ReadonlyArray<string>): ReadonlyArray<SetupProblem> {
  return messages.map((message) => ({ about: part, message }));
}

/** What of an untrusted repository is left aside, and its limits that nobody can hold to. */
function asideOf({ trust, lost }: LoadedSettings): ReadonlyArray<string> {
  const notice = untrustedNotice(trust);
  return [...(notice === null ? [] : [notice]), ...lost.map((problem) => `not held to: ${describeProblem(problem)}`)];
}

function missingStyle(wanted: unknown, isFound: boolean): ReadonlyArray<string> {
  if (typeof wanted !== 'string' || isFound || wanted.toLowerCase() === 'default') return [];
  return [`There is no output style "${wanted}" here: see \`attractor config show\`.`];
}

/** The same setup with further folders that were given to a run. One that is not there is said, since it may be on another machine. */
export function withFolders(setup: SessionSetup, further: ReadonlyArray<string>): SessionSetup {
  const [there, missing] = [further.filter(isFolder), further.filter((folder) => !isFolder(folder))];
  return {
    ...setup,
    folders: [...new Set([...setup.folders, ...there])],
    unused: [
      ...setup.unused,
      ...missing.map((folder) => `There is no folder ${folder} here: the work continues without it.`),
    ],
  };
}

/** The same setup for sessions in a checkout of the repository. Nothing is read again. */
export function inWorktree(setup: SessionSetup, worktree: string): SessionSetup {
  const settings = sessionSettings(setup.loaded);
  const { rules } = readRules(settings.rules.map((rule) => ruleIn(rule, worktree)));
  const { limits } = sandboxSettings(settings, { root: worktree, userHome: setup.userHome });
  const { folders, leftOut } = foldersOfRuns(setup.folders, setup.root);
  return { ...setup, root: worktree, rules, limits, folders, unused: [...setup.unused, ...leftOut] };
}

/**
 * The same setup for sessions in a checkout whose own files configure nothing, because this one was read elsewhere. Hooks are told that
 * place as the project's.
 */
export function configuredElsewhere(setup: SessionSetup, checkout: string): SessionSetup {
  const project = { CLAUDE_PROJECT_DIR: setup.root, ATTRACTOR_PROJECT_DIR: setup.root };
  const told = new Map(
    [...setup.hooks, ...setup.hooksOfFiles].map((hook) => [
      hook,
      { ...hook, variables: { ...project, ...hook.variables } },
    ]),
  );
  const telling = (hooks: SessionSetup['hooks']) => hooks.map((hook) => told.get(hook) ?? hook);
  const { hooks, hooksOfFiles } = setup;
  return { ...inWorktree(setup, checkout), hooks: telling(hooks), hooksOfFiles: telling(hooksOfFiles) };
}

/** A path from the repository's root means the same place in the checkout. */
function ruleIn(rule: WrittenRule, worktree: string): WrittenRule {
  const isOfRepository = rule.origin.scope === 'project' || rule.origin.scope === 'local';
  return isOfRepository ? { ...rule, origin: { ...rule.origin, root: worktree } } : rule;
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}
