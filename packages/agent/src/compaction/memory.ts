import { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@attractor/base';
import { newId } from '@attractor/base/id';

/** How much of the file a session starts with: its end, where the latest entries are. */
const MAX_CHARS = 4000;
const MAX_ENTRY_CHARS = 1000;

const TITLE = '# Project memory';

/** Where a project keeps what people want every later session to know. */
export function memoryFileOf(root: string): string {
  return path.join(root, '.attractor', 'memory.md');
}

/** Adds a line unless it is there already. Returns what went wrong as text, or null. */
export function addToMemory(file: string, text: string): string | null {
  const entry = `- ${text.replaceAll(/\s+/g, ' ').trim()}`;
  if (entry === '- ') return 'say what, as in /remember use tabs.';
  if (entry.length > MAX_ENTRY_CHARS) return `it is too long (at most ${MAX_ENTRY_CHARS} characters).`;
  try {
    const before = textOf(file) ?? `${TITLE}\n\n`;
    if (before.split('\n').includes(entry)) return null;
    mkdirSync(path.dirname(file), { recursive: true });
    const draft = path.join(path.dirname(file), `.${newId('memory')}`);
    writeFileSync(draft, `${before.replace(/\n?$/, '\n')}${entry}\n`, { flag: 'wx' });
    renameSync(draft, file);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** The memory as the system text states it; empty when there is none. */
export function memoryForSystemText(file: string): string {
  const text = readable(file).trim();
  if (text === '') return '';
  const told = text.length <= MAX_CHARS ? text : `[…]\n${text.slice(-MAX_CHARS).replace(/^[^\n]*\n/, '')}`;
  return `# What is to be remembered in this project (.attractor/memory.md)\n\n${told}`;
}

function readable(file: string): string {
  try {
    return textOf(file) ?? '';
  } catch {
    return '';
  }
}

/** Null when there is none. A symlink in a repository could point anywhere, so nothing is read or written through one. */
function textOf(file: string): string | null {
  try {
    for (const place of [path.dirname(file), file])
      if (lstatSync(place).isSymbolicLink()) throw new Error(`${place} is a link.`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
