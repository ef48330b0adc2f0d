import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@attractor/base';
import { fateOf, ownIdentity } from '@attractor/system/process-identity';
import { identityIn } from '../editor/draft-file.ts';
import type { Asked } from './asked.ts';
import { askOf, type LiveAnswer, type LiveAsk } from './live-ask.ts';

/** What waits in a conversation lies beside its journal, so that another window of the machine can show it. The first answer counts. */
export type SharedAsks = {
  /** What waits now in this session; nothing of it is left there when nothing does. */
  readonly put: (sessionId: string | null, asked: ReadonlyArray<Asked>) => void;
};

export type SharingOptions = {
  readonly journalOf: (sessionId: string) => string;
  readonly answered: (asked: Asked, answer: LiveAnswer) => void;
};

const LOOK_MS = 200;

export function shareAsks({ journalOf, answered }: SharingOptions): SharedAsks {
  let waiting: ReadonlyArray<Asked> = [];
  let folder: string | null = null;
  let looking: NodeJS.Timeout | null = null;
  const look = (): void => {
    for (const asked of waiting) {
      const answer = folder === null ? null : answerIn(answerFile(folder, asked.id), asked.id);
      if (answer !== null) answered(asked, answer);
    }
  };
  const end = (): void => {
    if (looking !== null) clearInterval(looking);
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    [looking, folder] = [null, null];
  };
  return {
    put: (sessionId, asked) => {
      if (asked.length === waiting.length && asked.every(({ id }, at) => id === waiting[at]?.id)) return;
      waiting = asked;
      if (sessionId === null || asked.length === 0) return end();
      try {
        if (folder === null) rmSync(folderBeside(journalOf(sessionId)), { recursive: true, force: true });
        folder = folderBeside(journalOf(sessionId));
        write(folder, asked.map(askOf));
        looking ??= setInterval(look, LOOK_MS).unref();
      } catch {
        // A full disk, or a folder that is gone: it is asked here only.
        end();
      }
    },
  };
}

/** What a living process waits for in the session of this journal. */
export function sharedAsks(journal: string): ReadonlyArray<LiveAsk> {
  const folder = folderBeside(journal);
  const value = jsonIn(path.join(folder, ASKS));
  const owner = isRecord(value) ? identityIn(value['owner']) : null;
  if (!isRecord(value) || owner === null || fateOf(owner) !== 'alive' || !Array.isArray(value['asks'])) return [];
  return value['asks'].filter((ask) => isAsk(ask)).filter(({ id }) => jsonIn(answerFile(folder, id)) === null);
}

/** False: nobody waits for it any more, or somebody else was faster. */
export function answerShared(journal: string, answer: LiveAnswer): boolean {
  if (!sharedAsks(journal).some(({ id }) => id === answer.ask)) return false;
  try {
    writeFileSync(answerFile(folderBeside(journal), answer.ask), JSON.stringify(answer), { mode: 0o600, flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

const ASKS = 'asks.json';

function folderBeside(journal: string): string {
  return path.join(path.dirname(journal), 'asked');
}

function answerFile(folder: string, id: number): string {
  return path.join(folder, `${id}.json`);
}

function write(folder: string, asks: ReadonlyArray<LiveAsk>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, ASKS);
  writeFileSync(`${file}.new`, JSON.stringify({ owner: ownIdentity(), asks }), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Null: there is none, or it is not whole yet. */
function answerIn(file: string, id: number): LiveAnswer | null {
  const value = jsonIn(file);
  if (!isRecord(value) || value['ask'] !== id) return null;
  const { isAllowed, words } = value;
  return typeof isAllowed === 'boolean' && typeof words === 'string' ? { ask: id, isAllowed, words } : null;
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

const TEXTS = ['kind', 'title', 'text', 'why'] as const;

function isAsk(value: unknown): value is LiveAsk {
  if (!isRecord(value) || typeof value['id'] !== 'number' || !Array.isArray(value['options'])) return false;
  return TEXTS.every((name) => typeof value[name] === 'string');
}
