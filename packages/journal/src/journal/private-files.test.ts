import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { openJournal } from './file-journal.ts';

it('outputs that are kept beside a journal are for its owner alone, as the journal is', () => {
  const folder = path.join(makeFolder(), 'sessions');
  const journal = openJournal(path.join(folder, 'session.jsonl'));
  const about = { toolCallId: 'a', toolName: 'shell', seq: 1, at: '2026-01-01T00:00:00.000Z', sessionId: 'ses_1' };
  journal.append({ kind: 'TOOL_CALL_END', ...about, output: 'x'.repeat(5_000_000), isError: false });
  journal.close();
  const made = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name));
  expect(made.length).toBeGreaterThan(2);
  for (const file of made) expect([file, statSync(file).mode & 0o077]).toEqual([file, 0]);
});
