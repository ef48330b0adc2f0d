import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** Prints more than any pipe holds, and ends as a command does. */
const PRINTS = `
import { drained, ReaderGone, stopIfUnread, surviveNoReader } from '${import.meta.dirname}/no-reader.ts';
surviveNoReader(process.stdout);
try {
  for (;;) {
    stopIfUnread(process.stdout);
    if (!process.stdout.write('line\\n'.repeat(10_000))) await drained(process.stdout);
  }
} catch (error) {
  process.exitCode = error instanceof ReaderGone ? 0 : 1;
}`;

test('whoever prints ends without a word, and without a failure, when nobody reads any more', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PRINTS], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  expect([...(await once(child, 'exit')), said]).toEqual([0, null, '']);
});
