import { existsSync } from 'node:fs';
import path from 'node:path';
import { createLocalExecutionEnvironment, findOthersDocs, findProjectDocs, readUserDocs } from '@attractor/agent';
import {
  describeOrigin,
  describeProblem,
  type LoadedSettings,
  readHookDefinitions,
  readSetup,
  type SessionSetup,
  type SetupQuery,
} from '@attractor/settings';
import { documentOrigin } from './effective-files.ts';
import { type ForeignRow, placeOf, problemRow, settingRows, unmappedRow } from './foreign-rows.ts';
import { unreadFiles } from './unread-files.ts';

/** The names by which people call the agents. */
export const FOREIGN_NAMES: Readonly<Record<string, ForeignRow['agent']>> = {
  claude: 'claude-code',
  codex: 'codex',
  gemini: 'gemini',
  opencode: 'opencode',
  cursor: 'cursor',
  cline: 'cline',
  copilot: 'copilot',
  goose: 'goose',
  pi: 'pi',
  qwen: 'qwen',
  windsurf: 'windsurf',
  agents: 'agents',
};

/** Everything that was written for other agents in a folder and in the home folder, row by row, in the order of the files. Runs nothing. */
export async function importedSettings(query: SetupQuery): Promise<ReadonlyArray<ForeignRow>> {
  const setup = await readSetup(query);
  const { loaded, disabledServers: disabled, unused } = setup;
  const rows = [
    ...settingRows({ loaded, env: query.env, disabled, told: unused }),
    ...fileRows(setup),
    ...unreadablePlaces(loaded),
    ...(await documentRows(query, loaded)),
    ...unreadFiles({ root: loaded.trust.root, userHome: query.userHome }).map(unmappedRow),
  ].filter(({ agent, file }) => agent !== 'attractor' && file !== null);
  const told = new Map(rows.map((row) => [JSON.stringify([row.file, row.line, row.key, row.as, row.reason]), row]));
  return [...told.values()].toSorted((a, b) => compare(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0));
}

/** What could not be read whole; a repository that has any can't be trusted. */
function unreadablePlaces({ trust }: LoadedSettings): ReadonlyArray<ForeignRow> {
  return trust.problems.map((problem) => {
    const [, name = '', why] = /^(.*?) ((?:has more|can't|is no|grew|lies) .*)$/s.exec(problem) ?? [];
    const about = { agent: 'agents', key: 'the file', file: path.join(trust.root, name), line: null } as const;
    return { ...about, state: 'refused', reason: `${why ?? problem}: the repository can't be trusted with it` };
  });
}

function compare(a: string | null, b: string | null): number {
  return (a ?? '') < (b ?? '') ? -1 : Number(a !== b);
}

/** Skills, commands, agents, styles and plugins, with what of them has no effect. */
function fileRows({ files }: SessionSetup): ReadonlyArray<ForeignRow> {
  const named = [
    ...files.plugins.map(({ name, origin }) => ({ key: `plugin ${name}`, origin })),
    ...files.skills.map(({ name, origin }) => ({ key: `skill ${name}`, origin })),
    ...files.commands.map(({ name, origin }) => ({ key: `command /${name}`, origin })),
    ...files.agents.map(({ definition: { name }, origin }) => ({ key: `agent ${name}`, origin })),
    ...files.styles.map(({ name, origin }) => ({ key: `output style ${name}`, origin })),
  ];
  const hooks = [...files.plugins, ...files.agents, ...files.skills].flatMap((one) => one.hooks);
  return [
    ...named.map(({ key, origin }): ForeignRow => ({ ...placeOf(origin), key, state: 'obeyed' })),
    ...hooks.flatMap((written): ReadonlyArray<ForeignRow> => {
      const { problems, unused } = readHookDefinitions([written]);
      const at = `${describeOrigin(written.origin)}: `;
      const about = { ...placeOf(written.origin), key: `hooks.${written.event}` };
      return [
        ...problems.map(
          (line) => ({ ...about, state: 'refused', reason: line.slice(at.length), stops: true }) as const,
        ),
        ...unused.map((line) => ({ ...about, state: 'not obeyed', reason: line.slice(at.length) }) as const),
      ];
    }),
    ...files.unmapped.map(unmappedRow),
    ...files.problems.map(problemRow),
  ];
}

/** Which documents the models of each family get. */
const FAMILIES: ReadonlyArray<readonly [name: string, fileNames: ReadonlyArray<string>]> = [
  ['Anthropic', ['AGENTS.md', 'CLAUDE.md']],
  ['OpenAI', ['AGENTS.md', '.codex/instructions.md']],
  ['Gemini', ['AGENTS.md', 'GEMINI.md']],
];

type Places = Pick<SetupQuery, 'home' | 'userHome' | 'folder'>;

async function documentRows(
  { home, userHome, folder }: Places,
  { trust: { root } }: LoadedSettings,
): Promise<ReadonlyArray<ForeignRow>> {
  const served = new Map((await findOthersDocs(root)).map(({ file }) => [file, [] as string[]]));
  const ofPerson = new Map<string, string[]>();
  const problems = new Map<string, ForeignRow>();
  const note = (files: Map<string, string[]>, file: string, family: string): void =>
    void files.set(file, [...(files.get(file) ?? []), family]);
  for (const [family, fileNames] of FAMILIES) {
    const environment = createLocalExecutionEnvironment(folder);
    const project = await findProjectDocs({ environment, root, fileNames });
    const person = await readUserDocs({ home, userHome, fileNames });
    for (const { file } of project.docs) note(served, file, family);
    for (const { file } of person.docs) note(ofPerson, file, family);
    for (const problem of [...project.problems, ...person.problems])
      problems.set(describeProblem(problem), problemRow(problem));
  }
  return [
    ...[...ofPerson].map(([file, families]) => documentRow(file, 'user', families)),
    ...[...served].filter(([file]) => !ofPerson.has(file)).map(([file, whose]) => documentRow(file, 'project', whose)),
    ...[...served.keys()].flatMap(replacedBy),
    ...problems.values(),
  ];
}

/** `AGENTS.override.md` stands in the place of the `AGENTS.md` beside it. */
function replacedBy(file: string): ReadonlyArray<ForeignRow> {
  const other = path.join(path.dirname(file), 'AGENTS.md');
  if (path.basename(file) !== 'AGENTS.override.md' || !existsSync(other)) return [];
  const about = { ...placeOf(documentOrigin(other, 'project')), key: 'AGENTS.md' };
  return [{ ...about, state: 'not obeyed', reason: 'AGENTS.override.md beside it counts' }];
}

function documentRow(file: string, scope: 'user' | 'project', families: ReadonlyArray<string>): ForeignRow {
  const about = { ...placeOf(documentOrigin(file, scope)), key: path.basename(file) };
  if (families.length === 0)
    return { ...about, state: 'not obeyed', reason: 'every model has instructions of its own in this repository' };
  const whose = families.length === FAMILIES.length ? 'every model' : `models of ${families.join(' and ')}`;
  return { ...about, state: 'obeyed', as: `instructions for ${whose}` };
}
