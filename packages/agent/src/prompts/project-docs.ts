import path from 'node:path';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import type { ExecutionEnvironment } from '../types/index.ts';

export type DocsQuery = {
  readonly environment: ExecutionEnvironment;
  /** The repository's folder; null: only the working directory counts. */
  readonly root: string | null;
  /** The profile's. AGENTS.md is read first, named here or not. */
  readonly fileNames: ReadonlyArray<string>;
};

const ALWAYS = 'AGENTS.md';
/** Stands in for AGENTS.md of its folder: a person's own version of it, usually not committed. */
const INSTEAD = 'AGENTS.override.md';

const MAX_BYTES = 32 * 1024;
const CUT = '\n[Project documents were cut at 32KB.]';

type Doc = { readonly file: string; readonly text: string };

/**
 * The project's own instructions, from the repository's folder down to the working directory; the deeper, the later and stronger.
 * What is missing, empty, no text, or leads outside is passed over; a file that only repeats its neighbour is told once.
 */
export async function readProjectDocs({ environment, root, fileNames }: DocsQuery): Promise<string> {
  const folder = environment.workingDirectory();
  const top = root ?? folder;
  const reader = top === folder ? environment : createLocalExecutionEnvironment(top);
  const others = fileNames.filter((name) => name !== ALWAYS);
  const docs: Doc[] = [];
  for (const place of foldersBetween(top, folder)) {
    const own = (await readDoc(reader, path.join(place, INSTEAD))) ?? (await readDoc(reader, path.join(place, ALWAYS)));
    const more = await Promise.all(others.map((name) => readDoc(reader, path.join(place, name))));
    docs.push(...withoutRepeats([own, ...more]));
  }
  return limited(docs.map(({ file, text }) => `# ${path.relative(top, file)}\n\n${text}`).join('\n\n'));
}

function foldersBetween(top: string, folder: string): ReadonlyArray<string> {
  const names = path.relative(top, folder).split(path.sep).filter(Boolean);
  return [top, ...names.map((_, index) => path.join(top, ...names.slice(0, index + 1)))];
}

async function readDoc(reader: ExecutionEnvironment, file: string): Promise<Doc | null> {
  const text = await reader.readText(file).then(
    (content) => content.replace(/^\ufeff/, '').trim(),
    () => '',
  );
  return text === '' ? null : { file, text };
}

/** One file is often a link to, or a copy of, the other. */
function withoutRepeats(docs: ReadonlyArray<Doc | null>): ReadonlyArray<Doc> {
  const texts = new Set<string>();
  return docs.filter((doc) => doc !== null).filter(({ text }) => !texts.has(text) && texts.add(text));
}

/** Cut at a whole character; the mark says so. */
function limited(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  return new TextDecoder().decode(bytes.subarray(0, MAX_BYTES), { stream: true }) + CUT;
}
