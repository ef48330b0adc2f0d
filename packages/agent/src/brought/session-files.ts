import {
  type AgentDefinition,
  describeProblem,
  type HookDefinition,
  type LoadedSettings,
  openUserFiles,
  readHookDefinitions,
  type SessionSettings,
  styleNamed,
} from '@attractor/settings';

import type { ToolPorts } from '../profiles/ports.ts';
import type { ProviderProfile } from '../types/index.ts';
import { type CallWorld, namedTexts } from '../skills/call-by-name.ts';
import { equipProfile } from '../profiles/equip-profile.ts';

import { areHooksOff } from './session-hooks.ts';

export type SessionFilesQuery = {
  readonly loaded: LoadedSettings;
  /** Where the session works. */
  readonly cwd: string;
  /** The top of what it works in: the repository's folder, or a worktree of it. */
  readonly root: string;
  /** Where this program keeps its state. */
  readonly home: string;
  /** The person's home folder, where other agents keep theirs. */
  readonly userHome: string;
};

/** What a person brings from other agents, and a repository that they trust, as a session uses it. */
export type SessionFiles = {
  readonly ports: Pick<ToolPorts, 'skills' | 'commands'>;
  readonly agents: ReadonlyArray<AgentDefinition>;
  readonly hooks: ReadonlyArray<HookDefinition>;
  readonly mcpServers: SessionSettings['mcpServers'];
  readonly names: {
    readonly skills: ReadonlyArray<string>;
    readonly commands: ReadonlyArray<string>;
    readonly plugins: ReadonlyArray<string>;
    readonly style: string;
  };
  /** One line each, for the person. */
  readonly problems: ReadonlyArray<string>;
  /** Gives a profile what it is told of these files. */
  readonly equip: (profile: ProviderProfile) => Promise<ProviderProfile>;
  /** Before this nothing can be called. */
  readonly bind: (world: CallWorld) => void;
  /** What `/name` of a prompt says; any other prompt as it is. */
  readonly expand: (prompt: string) => Promise<string>;
};

export type SessionFilesReading =
  | { readonly ok: true; readonly value: SessionFiles }
  /** A hook that can't be understood may be one that forbids. */
  | { readonly ok: false; readonly message: string };

/** The session itself obeys these. */
const OF_THE_SESSION = /^\/(?:compact|remember)(?:\s|$)/;

/** What a person brought, made ready for one session. Fails where a hook can't be understood. */
export async function openSessionFiles(query: SessionFilesQuery): Promise<SessionFilesReading> {
  const { loaded, cwd, root, home, userHome } = query;
  const files = await openUserFiles({ home, userHome, trust: loaded.trust });
  const hooks = readHookDefinitions(areHooksOff(loaded) ? [] : files.plugins.flatMap((plugin) => plugin.hooks));
  const [refusal] = hooks.problems;
  if (refusal !== undefined) return { ok: false, message: refusal };
  let world: CallWorld | null = null;
  const texts = namedTexts(files, () => {
    if (world === null) throw new Error('called before the session was there');
    return world;
  });
  const wanted = valueOf(loaded, 'outputStyle');
  const style = typeof wanted === 'string' ? styleNamed(files.styles, wanted) : null;
  const value: SessionFiles = {
    ports: {
      ...(texts.skills.list().length === 0 ? {} : { skills: texts.skills }),
      ...(texts.commands.list().length === 0 ? {} : { commands: texts.commands }),
    },
    agents: files.agents.map(({ definition }) => definition),
    hooks: hooks.definitions,
    mcpServers: new Map(files.plugins.flatMap(({ mcpServers }) => [...mcpServers])),
    names: {
      skills: files.skills.map(({ name }) => name),
      commands: files.commands.map(({ name }) => name),
      plugins: files.plugins.map(({ name }) => name),
      style: style?.name ?? 'default',
    },
    problems: [...files.problems.map(describeProblem), ...hooks.unused, ...missingStyle(wanted, style !== null)],
    equip: (profile) => equipProfile(profile, { home, userHome, root, workingDirectory: cwd, style }),
    bind: (given) => {
      world = given;
    },
    expand: async (prompt) => {
      const said = OF_THE_SESSION.test(prompt.trim()) ? null : await texts.fromPerson(prompt);
      if (said === null) return prompt;
      return said.ok ? said.text : `${prompt}\n\n[This command failed: ${said.message}]`;
    },
  };
  return { ok: true, value };
}

function valueOf({ settings }: LoadedSettings, name: string): unknown {
  return settings.find(({ row }) => row.name === name)?.entries[0]?.value;
}

function missingStyle(wanted: unknown, isFound: boolean): ReadonlyArray<string> {
  if (typeof wanted !== 'string' || isFound || wanted.toLowerCase() === 'default') return [];
  return [`There is no output style "${wanted}" here: see \`attractor config show\`.`];
}
