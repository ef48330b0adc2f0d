import path from 'node:path';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import type { ExecutionEnvironment } from '../types/index.ts';

export type DocsQuery = {
  readonly environment: ExecutionEnvironment;
  /** The repository's folder; null: only the working directory counts. */
  readonly root: string | null;
  readonly fileNames: ReadonlyArray<string>;
};

const MAX_BYTES = 32 * 1024;
const CUT = '\n[Project documents were cut at 32KB.]';

/** The project's own instructions, from the repository's folder down to the working directory; the deeper, the later and stronger. */
export async function readProjectDocs({ environment, root, fileNames }: DocsQuery): Promise<string> {
  const folder = environment.workingDirectory();
  const top = root ?? folder;
  const reader = top === folder ? environment : createLocalExecutionEnvironment(top);
  const sections: string[] = [];
  for (const place of foldersBetween(top, folder)) {
    for (const name of fileNames) {
      const file = path.join(place, name);
      const text = await reader.readText(file).catch(() => null);
      if (text !== null && text.trim() !== '') sections.push(`# ${path.relative(top, file)}\n\n${text.trim()}`);
    }
  }
  return limited(sections.join('\n\n'));
}

function foldersBetween(top: string, folder: string): ReadonlyArray<string> {
  const names = path.relative(top, folder).split(path.sep).filter(Boolean);
  return [top, ...names.map((_, index) => path.join(top, ...names.slice(0, index + 1)))];
}

function limited(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  return (
    bytes
      .subarray(0, MAX_BYTES)
      .toString('utf8')
      .replace(/\ufffd$/, '') + CUT
  );
}
