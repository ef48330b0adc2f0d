import { EFFORTS, PERMISSION_MODES, RUN_MODES } from '@attractor/facts';
import type { AgentConfig } from '@attractor/adapters';
import type { ConfigRule } from './config-rules.ts';
import type { GitConfig } from './configured.ts';

const leaf = (expected: string, fits: (value: unknown) => boolean): ConfigRule => ({ kind: 'leaf', expected, fits });
const oneOf = (...words: ReadonlyArray<string>): ConfigRule =>
  leaf(`one of ${words.map((word) => `"${word}"`).join(', ')}`, (value) => words.some((word) => word === value));

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const text = leaf('a text such as "…"', isText);
const texts = leaf('a list of texts such as ["…"]', (value) => Array.isArray(value) && value.every(isText));
const flag = leaf('true or false', (value) => typeof value === 'boolean');
const count = leaf('a whole number from 1 up', (value) => Number.isInteger(value) && Number(value) >= 1);
const milliseconds = leaf('milliseconds, from 1 up', (value) => typeof value === 'number' && value >= 1);
const any: ConfigRule = { kind: 'any' };

/** Every field that a layer may set for an agent. */
export const AGENT_FIELDS = {
  model: text,
  provider: text,
  maxTurns: count,
  timeout: milliseconds,
  effort: oneOf(...EFFORTS),
  permissionMode: oneOf(...PERMISSION_MODES),
  systemPrompt: text,
  autoCommit: flag,
  autoPush: flag,
  branchPrefix: text,
  baseBranch: text,
  branchStrategy: oneOf('new-per-task', 'new-per-run'),
  preserveUncommitted: flag,
  rebaseOnStart: flag,
  onConflict: oneOf('continue', 'fail'),
  installDeps: flag,
} as const satisfies Readonly<Record<keyof AgentConfig, ConfigRule>>;

/** An agent with a `type` is defined here, not only configured: its further fields are checked by the code that creates it. */
const AGENT: ConfigRule = {
  kind: 'members',
  members: { ...AGENT_FIELDS, type: text },
  open: (value) => 'type' in value,
};

const CHECK: ConfigRule = {
  kind: 'either',
  expected: 'a command, or an object with "command"',
  forms: [
    text,
    flag,
    {
      kind: 'members',
      members: {
        command: text,
        enabled: flag,
        severity: oneOf('error', 'warning'),
        modes: leaf(
          `a list of modes (${RUN_MODES.join(', ')})`,
          (value) => Array.isArray(value) && value.every((mode) => RUN_MODES.some((known) => known === mode)),
        ),
        timeout: milliseconds,
        strict: flag,
      },
    },
  ],
};

const SETUP: ConfigRule = {
  kind: 'either',
  expected: 'a command, a list of commands, or an object with "commands"',
  forms: [
    text,
    texts,
    {
      kind: 'members',
      members: { command: text, commands: texts, timeout: milliseconds, inputs: texts, shared: texts },
    },
  ],
};

/**
 * For every agent of the project, unless a later layer overrides it; `ignoreWorktrees` and the pull request's texts are only set by the
 * project.
 */
export const GIT_FIELDS = {
  branchPrefix: text,
  baseBranch: text,
  rebaseOnStart: flag,
  preserveUncommitted: flag,
  onConflict: oneOf('continue', 'fail'),
  autoPush: flag,
  fetch: flag,
  ignoreWorktrees: flag,
  prDraft: flag,
  prTemplate: text,
} as const satisfies Readonly<Record<keyof GitConfig, ConfigRule>>;

/** The part of a `config.json` that runs of tasks use. The other keys belong to `@attractor/agent`, which checks them. */
export const RUN_CONFIG: ConfigRule = {
  kind: 'members',
  members: {
    defaultAgentType: text,
    defaultBranch: text,
    agents: { kind: 'each', rule: AGENT },
    checks: { kind: 'each', rule: CHECK },
    failOnError: flag,
    failOnWarning: flag,
    strict: flag,
    setup: SETUP,
    git: { kind: 'members', members: GIT_FIELDS },
    retry: any,
    supervisor: any,
    queue: { kind: 'members', members: { concurrency: count } },
    labels: texts,
    notifications: any,
    budgets: leaf('left out: budgets are set with "attractor budgets set"', () => false),
    maxDiskGb: leaf('a number from 0 up', (value) => typeof value === 'number' && value >= 0),
  },
  open: () => true,
};
