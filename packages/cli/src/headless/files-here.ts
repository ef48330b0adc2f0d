import { homedir } from 'node:os';
import {
  type AgentDefinition,
  type CallWorld,
  describeProblem,
  equipProfile,
  type HookDefinition,
  type LoadedSettings,
  namedTexts,
  openUserFiles,
  readHookDefinitions,
  type SessionSettings,
  styleNamed,
  type ToolPorts,
} from '@attractor/agent';
import { CommandFailure, EXIT } from '../exit.ts';
import type { ToolsHere } from './tools-here.ts';

type Here = {
  readonly loaded: LoadedSettings;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What a person brings from other agents, and a repository that they trust, as a headless run uses it. */
export type FilesHere = {
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
  /** Gives profiles what they are told of these files. */
  readonly equip: (tools: ToolsHere) => Promise<ToolsHere>;
  /** Before this nothing can be called. */
  readonly bind: (world: CallWorld) => void;
  /** What `/name` of a prompt says; any other prompt as it is. */
  readonly expand: (prompt: string) => Promise<string>;
};

/** The session itself obeys these. */
const OF_THE_SESSION = /^\/(?:compact|remember)(?:\s|$)/;

export async function filesHere({ loaded, cwd, home, env }: Here): Promise<FilesHere> {
  const userHome = env['HOME'] ?? homedir();
  const files = await openUserFiles({ home, userHome, trust: loaded.trust });
  let world: CallWorld | null = null;
  const texts = namedTexts(files, () => {
    if (world === null) throw new Error('called before the session was there');
    return world;
  });
  const wanted = valueOf(loaded, 'outputStyle');
  const style = typeof wanted === 'string' ? styleNamed(files.styles, wanted) : null;
  const written = valueOf(loaded, 'disableAllHooks') === true ? [] : files.plugins.flatMap(({ hooks }) => hooks);
  const hooks = readHookDefinitions(written);
  const [refusal] = hooks.problems;
  // A hook that can't be understood may be one that forbids.
  if (refusal !== undefined) throw new CommandFailure(refusal, EXIT.refused);
  const equipment = { home, userHome, root: loaded.trust.root, workingDirectory: cwd, style };
  return {
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
    equip: async (tools) => ({
      ...tools,
      profile: await equipProfile(tools.profile, equipment),
      profiles: await Promise.all(tools.profiles.map((profile) => equipProfile(profile, equipment))),
    }),
    bind: (given) => {
      world = given;
    },
    expand: async (prompt) => {
      const said = OF_THE_SESSION.test(prompt.trim()) ? null : await texts.fromPerson(prompt);
      if (said === null) return prompt;
      return said.ok ? said.text : `${prompt}\n\n[This command failed: ${said.message}]`;
    },
  };
}

function valueOf({ settings }: LoadedSettings, name: string): unknown {
  return settings.find(({ row }) => row.name === name)?.entries[0]?.value;
}

function missingStyle(wanted: unknown, isFound: boolean): ReadonlyArray<string> {
  if (typeof wanted !== 'string' || isFound || wanted.toLowerCase() === 'default') return [];
  return [`There is no output style "${wanted}" here: see \`attractor config show\`.`];
}
