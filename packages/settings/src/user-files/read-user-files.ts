import path from 'node:path';
import { type UserAgent, readAgents } from '../agents/read-agents.ts';
import type { UserCommand } from '../commands/command.ts';
import { readCommands } from '../commands/read-commands.ts';
import { type Plugin, readPlugins } from '../plugins/read-plugins.ts';
import type { FileScope } from '../settings/load-settings.ts';
import type { SettingProblem } from '../settings/origin.ts';
import type { UnmappedSetting } from '../settings/source.ts';
import { readSkills } from '../skills/read-skills.ts';
import type { Skill } from '../skills/skill.ts';
import type { OutputStyle } from '../styles/output-style.ts';
import { readStyles } from '../styles/read-styles.ts';
import type { TrustExamination } from '../trust/trust.ts';
import { noFindings } from '../written-files/findings.ts';
import { folderTree, installedTree, repositoryTree } from '../written-files/trees.ts';

export type UserFilesQuery = {
  /** The folder of our own state. */
  readonly home: string;
  /** The person's home folder, where other agents keep their files. */
  readonly userHome: string;
  /** Of the repository that is worked in. */
  readonly trust: TrustExamination;
  /** Folders of plugins that were named for this run; they win over installed ones of the same name. */
  readonly pluginFolders?: ReadonlyArray<string>;
  /** The scopes whose files count. Absent: all. */
  readonly only?: ReadonlyArray<FileScope>;
};

/**
 * What a person already has besides settings, read unchanged and in place. From a repository only what was trusted, in the bytes that were
 * examined then. A file with a mistake is reported and left out, or read without the wrong part; it never stops the others.
 */
export type UserFiles = {
  readonly skills: ReadonlyArray<Skill>;
  readonly commands: ReadonlyArray<UserCommand>;
  readonly agents: ReadonlyArray<UserAgent>;
  readonly styles: ReadonlyArray<OutputStyle>;
  readonly plugins: ReadonlyArray<Plugin>;
  readonly problems: ReadonlyArray<SettingProblem>;
  readonly unmapped: ReadonlyArray<UnmappedSetting>;
};

/** The strongest first: what was written for this program, then the person's own, then the repository's, then plugins. */
export function readUserFiles({ home, userHome, trust, pluginFolders = [], only }: UserFilesQuery): UserFiles {
  const findings = noFindings();
  const trees = [
    folderTree('own', home, findings),
    folderTree('person', userHome, findings),
    repositoryTree(trust),
  ].filter(({ scope }) => only?.some((counted) => counted === scope) !== false);
  const named = pluginFolders.map((folder) => installedTree(folder, path.basename(folder), findings));
  const plugins = readPlugins(trees, named, findings);
  const all = [...trees, ...plugins.map(({ tree }) => tree)];
  const skills = readSkills(all, findings);
  const commands = readCommands(all, findings);
  const agents = readAgents(all, findings);
  return { skills, commands, agents, styles: readStyles(all, findings), plugins, ...findings };
}
