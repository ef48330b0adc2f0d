import path from 'node:path';
import { defined } from '@attractor/base';
import type { ImagePart, TextPart } from '@attractor/llm';
import type { SettingFile } from '../contract/session.ts';
import {
  type AgentDefinition,
  changedSince,
  type HookDefinition,
  type MentionedFile,
  mentionedFiles,
  readFilesAgain,
  type Plugin,
  type SessionSetup,
  styleNamed,
  trustedBytes,
  type UserFiles,
} from '@attractor/settings';
import type { ToolPorts } from '../profiles/ports.ts';
import type { ProviderProfile } from '../types/index.ts';
import { type CallWorld, type NamedTexts, namedTexts } from '../skills/call-by-name.ts';
import { partIfAllowed } from '../skills/guarded-ports.ts';
import { equipProfile } from '../profiles/equip-profile.ts';

/** Files that a person has from other agents, or from a repository that they trust, as one session uses them. */
export type SessionFiles = {
  readonly ports: () => Pick<ToolPorts, 'skills' | 'commands'>;
  readonly agents: () => ReadonlyArray<AgentDefinition>;
  readonly names: () => FileNames;
  /** Adds the contents of these files to a profile. */
  readonly equip: (profile: ProviderProfile) => Promise<ProviderProfile>;
  /** Nothing can be called before this. */
  readonly bind: (world: CallWorld) => void;
  /** The text behind `/name`; any other prompt is returned unchanged. */
  readonly expand: (prompt: string) => Promise<string>;
  readonly mentioned: (prompt: string) => Promise<ReadonlyArray<MentionedFile<ImagePart | TextPart>>>;
  /** Reads skills and commands again, or all of them; what was made of them has to be made anew. Or why it is not done. */
  readonly readAgain: (which: 'skills' | 'all', plugins?: ReadonlyArray<string>) => Promise<Renewed | string>;
  /** False: there is no style of this name. */
  readonly chooseStyle: (name: string) => boolean;
  /** The text of a skill for an agent that is given it; null: there is none of this name. */
  readonly skillFor: NamedTexts['skillFor'];
  /** What `/name` calls; null: nothing of these files. */
  readonly calledIn: NamedTexts['calledIn'];
};

/** What no longer counts, and what does from now on: hooks, and servers of plugins. */
export type Renewed = {
  readonly hooks: Exchanged<HookDefinition>;
  readonly servers: { readonly gone: ReadonlyArray<string>; readonly come: SessionSetup['servers'] };
};

type Exchanged<One> = { readonly gone: ReadonlyArray<One>; readonly come: ReadonlyArray<One> };

export type FileNames = {
  readonly skills: ReadonlyArray<string>;
  readonly commands: ReadonlyArray<string>;
  /** Both, as a person chooses among them. */
  readonly listed: ReadonlyArray<ListedName>;
  readonly plugins: ReadonlyArray<Pick<Plugin, 'name'> & { readonly folder: string }>;
  readonly style: string;
  readonly styles: ReadonlyArray<string>;
  /** How many mistakes there are in the files. */
  readonly problems: number;
};

type ListedName = { readonly name: string; readonly description: string; readonly argumentHint: string };

const NOTHING: SessionFiles = {
  ports: () => ({}),
  agents: () => [],
  names: () => ({
    skills: [],
    commands: [],
    listed: [],
    plugins: [],
    style: 'default',
    styles: ['default'],
    problems: 0,
  }),
  equip: async (profile) => profile,
  bind: () => undefined,
  expand: async (prompt) => prompt,
  mentioned: async () => [],
  readAgain: async () => 'the session was opened without the files of a person',
  chooseStyle: () => false,
  skillFor: async () => null,
  calledIn: () => null,
};

/** Commands that the session itself carries out. */
const OF_THE_SESSION = /^\/(?:compact|remember)(?:\s|$)/;

/** Prepares the files of a setup for a session in `folder`. Null: there is no setup, so there are no files. */
export function openSessionFiles(setup: SessionSetup | null, folder: string): SessionFiles {
  if (setup === null) return NOTHING;
  const { home, userHome, root, only } = setup;
  const { files, style, hooksOfFiles: hooks } = setup;
  const kept: Kept = { files, style, hooks, further: [], servers: serversOf(setup) };
  const accepted = new Map<string, string>();
  const trusted = trustedBytes(setup.loaded.trust);
  let world: CallWorld | null = null;
  const bound = (): CallWorld => world ?? notYet();
  const textsOf = (): NamedTexts => namedTexts(kept.files, bound);
  let texts = textsOf();
  const isCalled = (prompt: string): boolean => texts.calledIn(prompt) !== null || OF_THE_SESSION.test(prompt.trim());
  return {
    // The text behind `/name` reads its own.
    mentioned: async (prompt) =>
      isCalled(prompt) ? [] : mentionedFiles(prompt, (file) => partIfAllowed(file, bound())),
    ports: () => ({
      ...(texts.skills.list().length === 0 ? {} : { skills: texts.skills }),
      ...(texts.commands.list().length === 0 ? {} : { commands: texts.commands }),
    }),
    readAgain: async (which, plugins = []) => {
      const renewed = await readAgain(kept, { setup, which, plugins });
      texts = textsOf();
      return renewed;
    },
    chooseStyle: (name) => chooseStyle(kept, name),
    agents: () => kept.files.agents.map(({ definition }) => definition),
    names: () => ({
      skills: kept.files.skills.flatMap(({ name, ...by }) => (by.forModel || by.forPerson ? [name] : [])),
      commands: kept.files.commands.map(({ name }) => name),
      listed: listedOf(kept.files),
      plugins: kept.files.plugins.map(({ name, tree }) => ({ name, folder: tree.root })),
      style: kept.style?.name ?? 'default',
      styles: ['default', ...kept.files.styles.map(({ name }) => name)],
      problems: kept.files.problems.length,
    }),
    equip: (profile) =>
      equipProfile(profile, {
        home,
        userHome,
        root,
        workingDirectory: folder,
        style: () => kept.style,
        ...defined({ only }),
      }),
    bind: (given) => {
      const changed = (command: string) => changedSince([command], { root: folder, trusted, home, accepted });
      world = { changed, ...given };
    },
    skillFor: (name) => texts.skillFor(name),
    calledIn: (prompt) => (OF_THE_SESSION.test(prompt.trim()) ? null : texts.calledIn(prompt)),
    expand: async (prompt) => {
      const said = OF_THE_SESSION.test(prompt.trim()) ? null : await texts.fromPerson(prompt);
      if (said === null) return prompt;
      return said.ok ? said.text : `${prompt}\n\n[This command failed: ${said.message}]`;
    },
  };
}

function notYet(): never {
  throw new Error('called before the session was there');
}

/** What a session has of the files now. */
type Kept = {
  files: UserFiles;
  style: SessionSetup['style'];
  /** That the files bring. */
  hooks: ReadonlyArray<HookDefinition>;
  /** Of plugins, by name. */
  servers: ReadonlyArray<string>;
  /** Folders of plugins that were named since. */
  further: ReadonlyArray<string>;
};

function chooseStyle(kept: Kept, name: string): boolean {
  const chosen = styleNamed(kept.files.styles, name);
  if (chosen === null && name.toLowerCase() !== 'default') return false;
  kept.style = chosen;
  return true;
}

type Rereading = {
  readonly setup: SessionSetup;
  readonly which: 'skills' | 'all';
  readonly plugins: ReadonlyArray<string>;
};

async function readAgain(kept: Kept, { setup, which, plugins }: Rereading): Promise<Renewed | string> {
  const further = [...new Set([...kept.further, ...plugins])];
  const now = await readFilesAgain(setup, further);
  if (typeof now === 'string') return now;
  const isTaken = (one: HookDefinition): boolean => which === 'all' || 'skill' in (one.within ?? {});
  const hooks = { gone: kept.hooks.filter(isTaken), come: now.hooks.filter(isTaken) };
  const servers = { gone: kept.servers, come: now.servers };
  kept.hooks = [...kept.hooks.filter((one) => !isTaken(one)), ...hooks.come];
  kept.further = further;
  const { skills, commands } = now.files;
  kept.files = which === 'all' ? now.files : { ...kept.files, skills, commands };
  if (which === 'all') kept.servers = [...now.servers.keys()];
  return { hooks, servers };
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

/** The servers of plugins, without those that settings define themselves. */
function serversOf({ files, servers }: SessionSetup): ReadonlyArray<string> {
  const ofPlugins = files.plugins.flatMap(({ mcpServers }) => [...mcpServers]);
  return ofPlugins.flatMap(([name, written]) => (servers.get(name) === written ? [name] : []));
}

/** What a person can call by name at the time of the call. */
export function namesOf({ names }: SessionFiles, agents: ReadonlyArray<Pick<AgentDefinition, 'name'>>) {
  return (): FileNames & { readonly agents: ReadonlyArray<string> } => ({
    ...names(),
    agents: [...new Set(agents.map(({ name }) => name))],
  });
}
