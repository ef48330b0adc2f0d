import path from 'node:path';
import { type Doc, type DocReader, docsOfFolder, readDoc, rulesOf, withoutRepeats } from './found-docs.ts';

/** Instructions that people wrote for other agents, by where these look for them. */
const FILES: ReadonlyArray<string> = [
  'QWEN.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.goosehints',
  'AGENT.md',
  'CRUSH.md',
  'WARP.md',
  '.rules',
  '.roorules',
  '.augment-guidelines',
  '.junie/guidelines.md',
  '.idx/airules.md',
  '.openhands/microagents/repo.md',
  'CONVENTIONS.md',
];

const RULES: ReadonlyArray<readonly [folder: string, names: string]> = [
  ['.cursor/rules', '**/*.mdc'],
  ['.cursor/rules', '**/*.md'],
  ['.clinerules', '*.md'],
  ['.clinerules', '*.txt'],
  ['.windsurf/rules', '**/*.md'],
  ['.github/instructions', '**/*.instructions.md'],
  ['.kiro/steering', '**/*.md'],
  ['.roo/rules', '**/*.md'],
  ['.amazonq/rules', '**/*.md'],
  ['.augment/rules', '**/*.md'],
  ['.trae/rules', '**/*.md'],
  ['.continue/rules', '**/*.md'],
];

const OWN: ReadonlyArray<string> = ['CLAUDE.md', 'GEMINI.md'];
const OWN_PLACES = ['AGENTS.md', 'AGENTS.override.md', 'CLAUDE.local.md', '.claude', ...OWN];
const PLAIN = { imports: false, comments: 'stay', head: false } as const;

/** What a repository says to other agents, for a model that it says nothing to: better their instructions than none. */
export async function docsForOthers(reader: DocReader, folder: string): Promise<ReadonlyArray<Doc>> {
  const docs: Doc[] = (await has(reader, folder, OWN_PLACES)) ? [...(await docsOfFolder(reader, folder, OWN))] : [];
  for (const name of FILES) docs.push(...(await readDoc(reader, path.join(folder, name), PLAIN)));
  for (const [below, names] of RULES)
    if (await has(reader, folder, [below])) docs.push(...(await rulesOf(reader, path.join(folder, below), names)));
  return withoutRepeats(docs);
}

/** Most folders have none of them, and every start looks: a search below what is not there takes much longer. */
async function has({ environment }: DocReader, folder: string, names: ReadonlyArray<string>): Promise<boolean> {
  for (const name of names) if (await environment.fileExists(path.join(folder, name))) return true;
  return false;
}
