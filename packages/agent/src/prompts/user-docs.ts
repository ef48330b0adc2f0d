import path from 'node:path';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import type { SettingProblem } from '@attractor/settings';
import { type Doc, type DocReader, readDoc, rulesOf, withoutRepeats } from './found-docs.ts';

/** By the name of a project's file: the person's own file of that type, in the home folder. */
const PLACES: Readonly<Record<string, ReadonlyArray<string>>> = {
  'AGENTS.md': ['.agents/AGENTS.md', '.config/opencode/AGENTS.md'],
  '.codex/instructions.md': ['.codex/AGENTS.md'],
  'CLAUDE.md': ['.claude/CLAUDE.md'],
  'GEMINI.md': ['.gemini/GEMINI.md'],
};
const RULES: Readonly<Record<string, string>> = { 'CLAUDE.md': '.claude/rules' };

export type UserDocsQuery = {
  readonly userHome: string;
  /** The folder of our own state: its AGENTS.md applies to every project. */
  readonly home: string;
  readonly fileNames: ReadonlyArray<string>;
};

export type UserDocs = {
  readonly text: string;
  readonly docs: ReadonlyArray<Doc>;
  readonly problems: ReadonlyArray<SettingProblem>;
};

/** A person's instructions for every agent, whatever the project. These files may import anything below the person's home. */
export async function readUserDocs({ userHome, home, fileNames }: UserDocsQuery): Promise<UserDocs> {
  const problems: SettingProblem[] = [];
  const docs = withoutRepeats([
    ...(await readDoc(readerAt(home, problems), path.join(home, 'AGENTS.md'))),
    ...(await docsOfPerson(readerAt(userHome, problems), userHome, fileNames)),
  ]).filter(({ paths }) => paths === null);
  const text = docs.map((doc) => `# ${shown(doc.file, userHome)}\n\n${doc.text}`).join('\n\n');
  return { text, docs, problems };
}

function readerAt(folder: string, problems: SettingProblem[]): DocReader {
  return { environment: createLocalExecutionEnvironment(folder), scope: 'user', told: new Set(), problems };
}

async function docsOfPerson(
  reader: DocReader,
  userHome: string,
  fileNames: ReadonlyArray<string>,
): Promise<ReadonlyArray<Doc>> {
  const docs: Doc[] = [];
  for (const name of new Set(['AGENTS.md', ...fileNames])) {
    for (const place of PLACES[name] ?? []) docs.push(...(await readDoc(reader, path.join(userHome, place))));
    const rules = RULES[name];
    if (rules !== undefined) docs.push(...(await rulesOf(reader, path.join(userHome, rules))));
  }
  return docs;
}

function shown(file: string, userHome: string): string {
  const below = path.relative(userHome, file);
  return below.startsWith('..') ? file : `~/${below}`;
}
