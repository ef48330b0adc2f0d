import path from 'node:path';
import { createLocalExecutionEnvironment, findProjectDocs, readUserDocs } from '@attractor/agent';
import { type LoadedSettings, openUserFiles, type SettingOrigin } from '@attractor/settings';

/** An effective file besides settings. */
export type EffectiveFile = {
  readonly kind: 'document' | 'skill' | 'command' | 'agent' | 'output style' | 'plugin';
  readonly name: string;
  readonly origin: SettingOrigin;
};

export type EffectiveFiles = Pick<LoadedSettings, 'problems' | 'unmapped'> & {
  readonly files: ReadonlyArray<EffectiveFile>;
};

type Query = {
  readonly home: string;
  readonly userHome: string;
  readonly folder: string;
  readonly trust: LoadedSettings['trust'];
};

/** Documents of all families of models; which of them a model gets depends on its family. */
const DOCUMENTS = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.codex/instructions.md'];

/** Documents, skills, commands, agents, styles and plugins that are effective in a folder, with what is wrong in them. Nothing is run. */
export async function effectiveFiles({ home, userHome, folder, trust }: Query): Promise<EffectiveFiles> {
  const files = await openUserFiles({ home, userHome, trust });
  const person = await readUserDocs({ home, userHome, fileNames: DOCUMENTS });
  const environment = createLocalExecutionEnvironment(folder);
  const found = await findProjectDocs({ environment, root: trust.root, fileNames: DOCUMENTS });
  // If the home folder itself is worked in, each of its documents appears once.
  const known = new Set(person.docs.map(({ file }) => file));
  const project = {
    docs: found.docs.filter(({ file }) => !known.has(file)),
    problems: found.problems.filter(({ origin }) => !known.has(origin.file ?? '')),
  };
  return {
    files: [
      ...person.docs.map(({ file }) => documentOf(file, 'user')),
      ...project.docs.map(({ file }) => documentOf(file, 'project')),
      ...files.plugins.map(({ name, origin }) => ({ kind: 'plugin' as const, name, origin })),
      ...files.skills.map(({ name, origin }) => ({ kind: 'skill' as const, name, origin })),
      ...files.commands.map(({ name, origin }) => ({ kind: 'command' as const, name: `/${name}`, origin })),
      ...files.agents.map(({ definition: { name }, origin }) => ({ kind: 'agent' as const, name, origin })),
      ...files.styles.map(({ name, origin }) => ({ kind: 'output style' as const, name, origin })),
    ],
    problems: [...person.problems, ...project.problems, ...files.problems],
    unmapped: files.unmapped,
  };
}

function documentOf(file: string, scope: 'user' | 'project'): EffectiveFile {
  return { kind: 'document', name: path.basename(file), origin: documentOrigin(file, scope) };
}

/** Whose document it is, by where it stands. */
export function documentOrigin(file: string, scope: 'user' | 'project'): SettingOrigin {
  const agent = AGENTS.find(([pattern]) => pattern.test(file))?.[1] ?? 'agents';
  return { scope, agent, file, line: null, name: null };
}

const AGENTS: ReadonlyArray<readonly [RegExp, SettingOrigin['agent']]> = [
  [/CLAUDE(?:\.local)?\.md$|\/\.claude\//, 'claude-code'],
  [/GEMINI\.md$/, 'gemini'],
  [/\/\.codex\//, 'codex'],
  [/\/opencode\//, 'opencode'],
  [/\/\.cursor(?:\/|rules$)/, 'cursor'],
  [/\/\.clinerules(?:\/|$)/, 'cline'],
  [/\/\.github\//, 'copilot'],
  [/\/\.windsurf(?:\/|rules$)/, 'windsurf'],
  [/\.goosehints$/, 'goose'],
  [/QWEN\.md$/, 'qwen'],
];
