import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '@attractor/base';
import type { Pastes } from './pastes.ts';

/** What a person was writing when a process ended, however it ended. */
export type KeptDraft = { readonly text: string; readonly cursor: number; readonly pastes: Pastes };

export type DraftFile = {
  readonly read: () => KeptDraft | null;
  /** Keeps it soon; while one is being written, only the newest of the next ones counts. An empty one is forgotten. */
  readonly keep: (draft: KeptDraft) => void;
  readonly settled: () => Promise<void>;
};

export function openDraftFile(file: string): DraftFile {
  let next: KeptDraft | null = null;
  let working: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    while (next !== null) {
      const draft = next;
      next = null;
      await write(file, draft).catch(() => undefined);
    }
    working = null;
  };
  return {
    read: () => read(file),
    keep: (draft) => {
      next = draft;
      working ??= work();
    },
    settled: async () => {
      await working;
    },
  };
}

async function write(file: string, draft: KeptDraft): Promise<void> {
  if (draft.text === '') return rmSync(file, { force: true });
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const whole = `${file}.${process.pid}`;
  await writeFile(whole, JSON.stringify(draft), { mode: 0o600 });
  await rename(whole, file);
}

function read(file: string): KeptDraft | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isRecord(value) || typeof value['text'] !== 'string' || typeof value['cursor'] !== 'number') return null;
    const pastes = Array.isArray(value['pastes']) ? value['pastes'].filter(isPaste) : [];
    return { text: value['text'], cursor: Math.min(value['cursor'], value['text'].length), pastes };
  } catch {
    return null;
  }
}

function isPaste(value: unknown): value is Pastes[number] {
  return isRecord(value) && typeof value['shown'] === 'string' && typeof value['text'] === 'string';
}
