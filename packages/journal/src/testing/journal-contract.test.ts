import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../journal/file-journal.ts';
import { createMemoryJournal } from '../journal/memory-journal.ts';
import { journalContract } from './journal-contract.ts';

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
