import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { type Decision, parseRule, type PermissionMode, type PermissionRule, readRules } from '@attractor/policy';
import {
  describeProblem,
  type HookDefinition,
  type LoadedSettings,
  loadSettings,
  sandboxSettings,
  type SandboxSettings,
  sessionSettings,
  type SessionSettings,
} from '@attractor/settings';
import { disabledServers, hooksOfSettings } from '@attractor/agent';
import { CommandFailure, EXIT } from '../exit.ts';

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const;

export type PermissionFlags = {
  readonly permissionMode?: PermissionMode;
  readonly allowedTools: ReadonlyArray<string>;
  readonly disallowedTools: ReadonlyArray<string>;
};

export type PermissionsQuery = {
  readonly flags: PermissionFlags;
  readonly cwd: string;
  /** Where this program keeps its state. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type Permissions = {
  readonly mode: PermissionMode;
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly folders: ReadonlyArray<string>;
  /** What settings hold back inside the sandbox, and which domains they let out of it. */
  readonly sandbox: SandboxSettings['limits'];
  readonly mcpServers: SessionSettings['mcpServers'];
  /** Of the repository, by name: switched off. */
  readonly disabledMcpServers: ReadonlyArray<string>;
  readonly hooks: ReadonlyArray<HookDefinition>;
  /** Hooks that are written down and that nothing here runs. */
  readonly unusedHooks: ReadonlyArray<string>;
  /** All of it, for what is no permission. */
  readonly loaded: LoadedSettings;
};

/**
 * What a person's settings, those of a repository that they trust, and the flags allow together. A rule or a limit that is not
 * understood ends the command: going on without it could allow what it forbids.
 */
export function permissionsHere({ flags, cwd, home, env }: PermissionsQuery): Permissions {
  const ofFlags = rulesOfFlags(flags, cwd);
  const userHome = env['HOME'] ?? homedir();
  const loaded = loadSettings({ home, userHome, folder: cwd, env });
  const settings = sessionSettings(loaded);
  const { rules, problems } = readRules(settings.rules);
  const sandbox = sandboxSettings(settings, { root: cwd, userHome });
  const hooks = hooksOfSettings(loaded, { userHome });
  const [refusal] = [...loaded.refusals.map(describeProblem), ...problems, ...sandbox.problems, ...hooks.problems];
  if (refusal !== undefined) throw new CommandFailure(refusal, EXIT.refused);
  const mode = flags.permissionMode ?? settings.mode.value;
  if (mode === 'bypassPermissions' && settings.isBypassDisabled)
    throw new CommandFailure(
      'Your settings disable bypassPermissions: choose another --permission-mode.',
      EXIT.refused,
    );
  const folders = settings.additionalDirectories.map(({ value }) => path.resolve(cwd, withHome(value, env)));
  return {
    mode,
    rules: [...ofFlags, ...rules],
    folders: folders.filter(isFolder),
    sandbox: sandbox.limits,
    mcpServers: settings.mcpServers,
    disabledMcpServers: disabledServers(loaded, settings),
    hooks: hooks.definitions,
    unusedHooks: hooks.unused,
    loaded,
  };
}

function rulesOfFlags({ allowedTools, disallowedTools }: PermissionFlags, root: string): ReadonlyArray<PermissionRule> {
  return [
    ...readFlag('--allowed-tools', allowedTools, { behavior: 'allow', root }),
    ...readFlag('--disallowed-tools', disallowedTools, { behavior: 'deny', root }),
  ];
}

type Meant = { readonly behavior: Decision; readonly root: string };

function readFlag(
  flag: string,
  values: ReadonlyArray<string>,
  { behavior, root }: Meant,
): ReadonlyArray<PermissionRule> {
  return values.flatMap(splitRules).map((text) => {
    const parsed = parseRule(text, behavior, { scope: 'flag', file: flag, line: null, root });
    if (!parsed.ok) throw new CommandFailure(`${flag}: ${parsed.error.message}`, EXIT.usage);
    return parsed.rule;
  });
}

/** `Bash(git log *),Edit Read`: commas and blanks part rules, unless they stand between parentheses. */
function splitRules(value: string): ReadonlyArray<string> {
  const rules: string[] = [];
  let depth = 0;
  let rule = '';
  for (const character of `${value},`) {
    if (depth === 0 && /[\s,]/.test(character)) {
      if (rule !== '') rules.push(rule);
      rule = '';
      continue;
    }
    depth += character === '(' ? 1 : character === ')' && depth > 0 ? -1 : 0;
    rule += character;
  }
  return rule === '' ? rules : [...rules, rule.slice(0, -1)];
}

function withHome(folder: string, env: PermissionsQuery['env']): string {
  return folder.replace(/^~(?=\/|$)/, env['HOME'] ?? homedir());
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function isPermissionMode(text: string): text is PermissionMode {
  return PERMISSION_MODES.some((mode) => mode === text);
}
