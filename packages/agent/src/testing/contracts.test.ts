import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { openJournal } from '../journal/file-journal.ts';
import { createMemoryJournal } from '../journal/memory-journal.ts';
import { makeFolder } from '../test-support/world.ts';
import { createMemoryEnvironment, environmentContract, journalContract } from './index.ts';

describe('the contract of environments', () => {
  const local = environmentContract(() => ({ environment: createLocalExecutionEnvironment(makeFolder()) }));
  it.each(local)('holds on this machine: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  // It starts no programs: what commands do is the caller's function.
  const memory = environmentContract(() => ({ environment: createMemoryEnvironment() }), { commands: 'none' });
  it.each(memory)('holds in memory: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

describe('the contract of journals', () => {
  const onDisk = journalContract(() => {
    const file = path.join(makeFolder(), 'session.jsonl');
    const journal = openJournal(file);
    return { journal, reopen: () => openJournal(file), dispose: () => journal.close() };
  });
  it.each(onDisk)('holds on disk: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  const inMemory = journalContract(() => ({ journal: createMemoryJournal() }));
  it.each(inMemory)('holds in memory: $name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
