import path from 'node:path';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { describeProblem, type SettingProblem } from '@attractor/settings';
import type { ExecutionEnvironment } from '../types/index.ts';
import { type Doc, docsOfFolder, type DocReader } from './found-docs.ts';
import { docsForOthers } from './others-docs.ts';

export type DocsQuery = {
  readonly environment: ExecutionEnvironment;
  /** The repository's folder; null: only the working directory counts. */
  readonly root: string | null;
  /** The profile's. AGENTS.md is read first, named here or not. */
  readonly fileNames: ReadonlyArray<string>;
  /** Told which documents are in the text. */
  readonly onDocs?: (docs: ReadonlyArray<Doc>) => void;
  /** Told, for the person, that not all of them fit. */
  readonly onCut?: (message: string) => void;
};

/** What the agent gets at the beginning, and rules that wait until a file they are about is read. */
export type ProjectDocs = {
  readonly docs: ReadonlyArray<Doc>;
  readonly problems: ReadonlyArray<SettingProblem>;
};

const MAX_BYTES = 32 * 1024;
const CUT = '\n[Project documents were cut at 32KB.]';

/**
 * The project's own instructions, from the repository's folder down to the working directory; deeper ones come later and are stronger. They
 * are text for the model and grant no permissions, so they need no trust; nothing outside the repository is read for them.
 */
export async function readProjectDocs(query: DocsQuery): Promise<string> {
  const { docs, problems } = await findProjectDocs(query);
  // What is wrong inside a document has a line.
  for (const problem of problems) if (problem.origin.line === null) query.onCut?.(describeProblem(problem));
  const told = docs.filter(({ paths }) => paths === null);
  query.onDocs?.(told);
  const text = textOfDocs(told, query.root ?? query.environment.workingDirectory());
  const kept = limited(text);
  if (kept !== text) query.onCut?.(cutLine(told, Buffer.byteLength(text)));
  return kept;
}

function cutLine(docs: ReadonlyArray<Doc>, bytes: number): string {
  const names = docs.map(({ file }) => path.basename(file)).join(', ');
  return `The instructions of this repository (${names}) have ${Math.ceil(bytes / 1024)} KB; the model is told the first 32 KB of them.`;
}

/** The same documents one by one, with what is wrong in them. */
export async function findProjectDocs({ environment, root, fileNames }: DocsQuery): Promise<ProjectDocs> {
  const folder = environment.workingDirectory();
  const top = root ?? folder;
  const reader: DocReader = {
    environment: top === folder ? environment : createLocalExecutionEnvironment(top),
    scope: 'project',
    told: new Set(),
    problems: [],
  };
  const docs: Doc[] = [];
  for (const place of foldersBetween(top, folder)) docs.push(...(await docsOfFolder(reader, place, fileNames)));
  // Without any name nothing of the project was wanted.
  if (docs.length === 0 && fileNames.length > 0) docs.push(...(await docsForOthers(reader, top)));
  return { docs, problems: reader.problems };
}

/** What a repository says to other agents, whether it serves a model here or not. */
export async function findOthersDocs(root: string): Promise<ReadonlyArray<Doc>> {
  const environment = createLocalExecutionEnvironment(root);
  return docsForOthers({ environment, scope: 'project', told: new Set(), problems: [] }, root);
}

export function textOfDocs(docs: ReadonlyArray<Doc>, top: string): string {
  return docs.map(({ file, text }) => `# ${path.relative(top, file)}\n\n${text}`).join('\n\n');
}

/** From the first down to the second, both included. */
export function foldersBetween(top: string, folder: string): ReadonlyArray<string> {
  const names = path.relative(top, folder).split(path.sep).filter(Boolean);
  return [top, ...names.map((_, index) => path.join(top, ...names.slice(0, index + 1)))];
}

/** Truncated at a whole character, with a mark. */
function limited(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  return new TextDecoder().decode(bytes.subarray(0, MAX_BYTES), { stream: true }) + CUT;
}
