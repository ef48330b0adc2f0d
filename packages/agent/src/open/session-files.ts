import path from 'node:path';
import { defined } from '@attractor/base';
import type { SettingFile } from '../contract/session.ts';
import {
  type AgentDefinition,
  changedSince,
  type FilesNow,
  type MentionedFile,
  mentionedFiles,
  readFilesAgain,
  type SessionSetup,
  trustedBytes,
  type UserFiles,
} from '@attractor/settings';
import type { Hooks } from '../hooks/hooks.ts';
import type { ToolPorts } from '../profiles/ports.ts';
import type { ProviderProfile } from '../types/index.ts';
import { type CallWorld, type NamedTexts, namedTexts } from '../skills/call-by-name.ts';
import { readIfAllowed } from '../skills/guarded-ports.ts';
import { equipProfile } from '../profiles/equip-profile.ts';

/** Files that a person has from other agents, or from a repository that they trust, as one session uses them. */
export type SessionFiles = {
  readonly ports: () => Pick<ToolPorts, 'skills' | 'commands'>;
  readonly agents: ReadonlyArray<AgentDefinition>;
  readonly names: () => FileNames;
  /** Adds the contents of these files to a profile. */
  readonly equip: (profile: ProviderProfile) => Promise<ProviderProfile>;
  /** Nothing can be called before this. */
  readonly bind: (world: CallWorld) => void;
  /** The text behind `/name`; any other prompt is returned unchanged. */
  readonly expand: (prompt: string) => Promise<string>;
  readonly mentioned: (prompt: string) => Promise<ReadonlyArray<MentionedFile>>;
  /** Reads skills and commands again; what has to be made anew with them is what `ports` and `hooks` then give. Or why it is not done. */
  readonly readAgain: () => Promise<FilesNow | string>;
  /** What `/name` calls; null: nothing of these files. */
  readonly calledIn: NamedTexts['calledIn'];
};

export type FileNames = {
  readonly skills: ReadonlyArray<string>;
  readonly commands: ReadonlyArray<string>;
  /** Both, as a person chooses among them. */
  readonly listed: ReadonlyArray<ListedName>;
  readonly plugins: ReadonlyArray<string>;
  readonly style: string;
};

type ListedName = { readonly name: string; readonly description: string; readonly argumentHint: string };

const NOTHING: SessionFiles = {
  ports: () => ({}),
  agents: [],
  names: () => ({ skills: [], commands: [], listed: [], plugins: [], style: 'default' }),
  equip: async (profile) => profile,
  bind: () => undefined,
  expand: async (prompt) => prompt,
  mentioned: async () => [],
  readAgain: async () => 'the session was opened without the files of a person',
  calledIn: () => null,
};

/** Commands that the session itself carries out. */
const OF_THE_SESSION = /^\/(?:compact|remember)(?:\s|$)/;

/** Prepares the files of a setup for a session in `folder`. Null: there is no setup, so there are no files. */
export function openSessionFiles(setup: SessionSetup | null, folder: string): SessionFiles {
  if (setup === null) return NOTHING;
  const { files, style, home, userHome, root, only } = setup;
  let current: Pick<UserFiles, 'skills' | 'commands'> = files;
  const accepted = new Map<string, string>();
  const trusted = trustedBytes(setup.loaded.trust);
  let world: CallWorld | null = null;
  const bound = (): CallWorld => {
    if (world === null) throw new Error('called before the session was there');
    return world;
  };
  const textsOf = (): NamedTexts => namedTexts(current, bound);
  let texts = textsOf();
  const isCalled = (prompt: string): boolean => texts.calledIn(prompt) !== null || OF_THE_SESSION.test(prompt.trim());
  return {
    // The text behind `/name` reads its own.
    mentioned: async (prompt) =>
      isCalled(prompt) ? [] : mentionedFiles(prompt, (file) => readIfAllowed(file, bound())),
    ports: () => ({
      ...(texts.skills.list().length === 0 ? {} : { skills: texts.skills }),
      ...(texts.commands.list().length === 0 ? {} : { commands: texts.commands }),
    }),
    readAgain: async () => {
      const now = await readFilesAgain(setup);
      if (typeof now === 'string') return now;
      current = now;
      texts = textsOf();
      return now;
    },
    agents: files.agents.map(({ definition }) => definition),
    names: () => ({
      skills: current.skills.map(({ name }) => name),
      commands: current.commands.map(({ name }) => name),
      listed: listedOf(current),
      plugins: files.plugins.map(({ name }) => name),
      style: style?.name ?? 'default',
    }),
    equip: (profile) =>
      equipProfile(profile, { home, userHome, root, workingDirectory: folder, style, ...defined({ only }) }),
    bind: (given) => {
      const changed = (command: string) => changedSince([command], { root: folder, trusted, home, accepted });
      world = { changed, ...given };
    },
    calledIn: (prompt) => (OF_THE_SESSION.test(prompt.trim()) ? null : texts.calledIn(prompt)),
    expand: async (prompt) => {
      const said = OF_THE_SESSION.test(prompt.trim()) ? null : await texts.fromPerson(prompt);
      if (said === null) return prompt;
      return said.ok ? said.text : `${prompt}\n\n[This command failed: ${said.message}]`;
    },
  };
}

/** A skill wins over a command of the same name. */
function listedOf({ skills, commands }: Pick<UserFiles, 'skills' | 'commands'>): ReadonlyArray<ListedName> {
  const called = [...commands, ...skills.filter(({ forPerson }) => forPerson)];
  const byName = new Map(called.map((one) => [one.name, one]));
  return [...byName.values()].map(({ name, description, argumentHint }) => ({
    name,
    description,
    argumentHint: argumentHint ?? '',
  }));
}

/** The files that the session's settings and skills were read from, whether they are there or not. */
export function settingFilesOf({ home, userHome, root, files }: SessionSetup): ReadonlyArray<SettingFile> {
  const at = (
    source: SettingFile['source'],
    folder: string,
    names: ReadonlyArray<string>,
  ): ReadonlyArray<SettingFile> => names.map((name) => ({ source, file: path.join(folder, name) }));
  return [
    ...at('user_settings', home, ['config.json']),
    ...at('user_settings', userHome, ['.claude/settings.json']),
    ...at('project_settings', root, ['.attractor/config.json', '.claude/settings.json', '.mcp.json']),
    ...at('local_settings', root, ['.attractor/config.local.json', '.claude/settings.local.json']),
    ...at('policy_settings', '/etc/claude-code', ['managed-settings.json']),
    ...files.skills.flatMap(({ origin: { file } }) => (file === null ? [] : [{ source: 'skills' as const, file }])),
  ];
}

/** Reads skills again for the tools of a session and for its hooks; null, or why it was not done. */
export function rereading(files: SessionFiles, hooks: () => Hooks | null, renew: () => void) {
  return async (): Promise<string | null> => {
    const now = await files.readAgain();
    if (typeof now === 'string') return now;
    hooks()?.renewOfSkills(now.hooks);
    renew();
    return null;
  };
}

/** What a person can call by name at the time of the call. */
export function namesOf({ names }: SessionFiles, agents: ReadonlyArray<Pick<AgentDefinition, 'name'>>) {
  const agentNames = [...new Set(agents.map(({ name }) => name))];
  return (): FileNames & { readonly agents: ReadonlyArray<string> } => ({ ...names(), agents: agentNames });
}
