import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@attractor/base';
import { fateOf, ownIdentity, type ProcessIdentity } from '@attractor/system/process-identity';
import { holdText } from './held-text.ts';
import type { Pastes } from './pastes.ts';

/** What a person was writing. */
export type Draft = { readonly text: string; readonly cursor: number; readonly pastes: Pastes };

/** Sent off with Enter, and when. */
export type SentInput = { readonly text: string; readonly at: string };

/** What a person wrote that no session has yet, when a process ended, however it ended. */
export type Kept = Draft & {
  /** The oldest first. */
  readonly said: ReadonlyArray<SentInput>;
};

export type DraftFile = {
  /** What an earlier window of this folder left behind; it is ours from now on. Null: nothing, or its window is still open. */
  readonly adopt: () => Kept | null;
  /** Keeps it before the screen shows it; a long one soon, so that no key waits for it. */
  readonly keep: (draft: Draft) => void;
  /** Keeps it at once: Enter was pressed, so it counts as said. */
  readonly keepSaid: (texts: ReadonlyArray<string>) => void;
  /** Nothing is left to be written. */
  readonly settle: () => void;
};

const NOTHING: Kept = { text: '', cursor: 0, pastes: [], said: [] };
const LONG = 64_000;
const LATER_MS = 100;

/** One file a window, named by its folder and its process: two windows of a folder don't write over each other. */
export function openDraftFile(folder: string, name: string): DraftFile {
  const file = path.join(folder, `${name}.${process.pid}.json`);
  const held = holdText(file);
  let kept = NOTHING;
  let timer: NodeJS.Timeout | null = null;
  const write = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (isEmpty(kept)) held.remove();
    else held.write(textOf(kept));
  };
  return {
    adopt: () => {
      kept = adopted(folder, name, file) ?? NOTHING;
      if (isEmpty(kept)) return null;
      write();
      return kept;
    },
    keep: (draft) => {
      kept = { ...kept, ...draft };
      if (lengthOf(kept) < LONG) write();
      else timer ??= setTimeout(write, LATER_MS);
    },
    keepSaid: (texts) => {
      if (texts.length === kept.said.length && texts.every((text, index) => text === kept.said[index]?.text)) return;
      kept = { ...kept, said: dated(texts, kept.said) };
      write();
    },
    settle: () => {
      if (timer !== null) write();
    },
  };
}

function lengthOf({ text, pastes, said }: Kept): number {
  return [text, ...pastes.map((paste) => paste.text), ...said.map((one) => one.text)].join('').length;
}

let owner: ProcessIdentity | null = null;

function textOf({ text, cursor, pastes, said }: Kept): string {
  owner ??= ownIdentity();
  return JSON.stringify({ text, cursor, pastes, said, owner });
}

/** What was there before keeps its time. */
function dated(texts: ReadonlyArray<string>, before: ReadonlyArray<SentInput>): ReadonlyArray<SentInput> {
  const rest = [...before];
  const now = new Date().toISOString();
  return texts.map((text) => {
    const index = rest.findIndex((said) => said.text === text);
    return rest.splice(index < 0 ? rest.length : index, 1)[0] ?? { text, at: now };
  });
}

function isEmpty({ text, said }: Kept): boolean {
  return text === '' && said.length === 0;
}

/** The newest of what dead windows left: its file gets our name in one step, so that no other window takes it too. */
function adopted(folder: string, name: string, file: string): Kept | null {
  for (const left of leftBehind(folder, name)) {
    const kept = read(left);
    if (kept === null) continue;
    try {
      renameSync(left, file);
      rmSync(`${left}.new`, { force: true });
      return kept;
    } catch {
      // Another window was faster.
    }
  }
  return null;
}

function leftBehind(folder: string, name: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder)
      .filter((entry) => entry.startsWith(`${name}.`) && entry.endsWith('.json'))
      .map((entry) => path.join(folder, entry))
      .toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  } catch {
    return [];
  }
}

/** Null: it can't be read, or its window is still open. */
function read(file: string): Kept | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '');
    if (!isRecord(value) || typeof value['text'] !== 'string' || typeof value['cursor'] !== 'number') return null;
    if (isOpen(value['owner'])) return null;
    const pastes = Array.isArray(value['pastes']) ? value['pastes'].filter(isPaste) : [];
    const said = Array.isArray(value['said']) ? value['said'].filter(isSaid) : [];
    return { text: value['text'], cursor: Math.min(value['cursor'], value['text'].length), pastes, said };
  } catch {
    return null;
  }
}

function isOpen(owner: unknown): boolean {
  const other = identityIn(owner);
  return other !== null && other.pid !== process.pid && fateOf(other) === 'alive';
}

/** The process that wrote it down; null: it says none. */
export function identityIn(owner: unknown): ProcessIdentity | null {
  if (!isRecord(owner) || typeof owner['pid'] !== 'number') return null;
  const words = (name: string): string | null => (typeof owner[name] === 'string' ? owner[name] : null);
  const machine = words('machine') ?? '';
  return { pid: owner['pid'], started: words('started'), boot: words('boot'), space: words('space'), machine };
}

function isSaid(value: unknown): value is SentInput {
  return isRecord(value) && typeof value['text'] === 'string' && typeof value['at'] === 'string';
}

function isPaste(value: unknown): value is Pastes[number] {
  return isRecord(value) && typeof value['shown'] === 'string' && typeof value['text'] === 'string';
}
