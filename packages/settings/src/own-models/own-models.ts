import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord, messageOf } from '@attractor/base';
import { type CatalogOverrides, readTable } from '@attractor/llm';

/** A person's own rows of the table of models, as they were taken over: from where, when, and what. */
export type OwnModels = { readonly from: string; readonly at: string; readonly table: CatalogOverrides };

/** `models.json` in the home folder: null if there is none; a problem if it can't be used, and nothing of it counts then. */
export function readOwnModels(home: string): OwnModels | { readonly problem: string } | null {
  const file = fileIn(home);
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    const { from, at } = isRecord(value) ? value : {};
    const read = readTable(value);
    if (!read.ok) throw new Error(read.problem);
    return { from: String(from), at: String(at), table: read.table };
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    const remedy = 'Import it again with `attractor models refresh --from`, or go back with `attractor models reset`.';
    return { problem: `${file} is not used: ${messageOf(error)}. ${remedy}` };
  }
}

/** The rows alone; null if there are none that can be used. */
export function ownModels(home: string): CatalogOverrides | null {
  const own = readOwnModels(home);
  return own === null || 'problem' in own ? null : own.table;
}

/** Whole or not at all. Returns the file. */
export function writeOwnModels(home: string, { from, at, table }: OwnModels): string {
  const file = fileIn(home);
  mkdirSync(home, { recursive: true });
  const half = `${file}.${process.pid}`;
  writeFileSync(half, `${JSON.stringify({ from, at, ...table }, null, 2)}\n`);
  renameSync(half, file);
  return file;
}

/** Whether there was something to remove. */
export function removeOwnModels(home: string): boolean {
  const wasThere = readOwnModels(home) !== null;
  rmSync(fileIn(home), { force: true });
  return wasThere;
}

function fileIn(home: string): string {
  return join(home, 'models.json');
}
