import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Result } from '@attractor/base';
import { createPolicy, type PermissionRule, type Policy, readRules } from '@attractor/policy';
import {
  describeProblem,
  loadSettings,
  sandboxSettings,
  type SandboxSettings,
  sessionSettings,
  type WrittenRule,
} from '@attractor/settings';
import { type SessionOptions, withinDomains } from '@attractor/agent';
import type { AgentRunOptions } from '../agent.ts';

/** Whose settings count: `home` is where this program keeps its state, `userHome` where other agents keep theirs. */
export type SettingsOfPerson = {
  readonly home: string;
  readonly userHome: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of this program, told to servers. */
  readonly version?: string;
};

export type Permissions = Pick<SessionOptions, 'ruleFiles'> & { readonly policy: Policy };

type Means = { readonly rules?: ReadonlyArray<PermissionRule>; readonly settings?: SettingsOfPerson };

type Place = Pick<AgentRunOptions, 'projectPath' | 'repositoryPath' | 'sandbox' | 'readOnly' | 'env'>;

/**
 * What a run may do unasked: edits in its worktree, where they can be undone and are reviewed, commands that only read, and what the
 * person's rules allow; a repository's rules count while it is trusted. A limit that can't be read ends the run before it starts.
 */
export function permissionsOf({ rules = [], settings }: Means, place: Place): Result<Permissions, Error> {
  const written = settings === undefined ? NOTHING : rulesHere(settings, place);
  if (written.problem !== null) return { ok: false, error: new Error(written.problem) };
  const root = place.projectPath;
  const judging = createPolicy({
    rules: [...rules, ...written.rules],
    mode: place.readOnly ? 'plan' : 'acceptEdits',
    root,
    home: settings?.userHome ?? place.env['HOME'] ?? homedir(),
    sandboxed: place.sandbox !== undefined,
  });
  const commands = place.sandbox === undefined ? 'free' : 'confined';
  const policy = withinDomains(judging, { ...written.network, commands });
  if (settings === undefined) return { ok: true, value: { policy } };
  // A rule in a file of the repository would change what was trusted: what is allowed for good goes to the person's own.
  return { ok: true, value: { policy, ruleFiles: { root, userSettings: join(settings.home, 'config.json') } } };
}

type Written = {
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly network: SandboxSettings['limits']['network'];
  readonly problem: string | null;
};

const NOTHING: Written = { rules: [], network: {}, problem: null };

function rulesHere(settings: SettingsOfPerson, { projectPath, repositoryPath }: Place): Written {
  const loaded = loadSettings({ ...settings, folder: repositoryPath ?? projectPath });
  const here = sessionSettings(loaded);
  const { rules, problems } = readRules(here.rules.map((rule) => inWorktree(rule, projectPath)));
  const { limits } = sandboxSettings(here, { root: projectPath, userHome: settings.userHome });
  const [problem = problems[0] ?? null] = loaded.refusals.map(describeProblem);
  return { rules, network: limits.network, problem };
}

/** A path that begins at the repository's root means the same place in the run's own checkout. */
function inWorktree(rule: WrittenRule, worktree: string): WrittenRule {
  const isOfRepository = rule.origin.scope === 'project' || rule.origin.scope === 'local';
  return isOfRepository ? { ...rule, origin: { ...rule.origin, root: worktree } } : rule;
}
