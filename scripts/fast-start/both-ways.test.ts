import { rmSync } from 'node:fs';
import { afterAll, describe } from 'vitest';
import { bundled, makeFolder } from './test-support/bundled.ts';

/** Tests that run on plain sources where they stand, and here once more: bundled with the stand-ins, as the command is. */
const TESTS = [
  'packages/llm/src/parity/parity.test.ts',
  'packages/llm/src/parity/definition-of-done.test.ts',
  'packages/llm/src/http/transport.test.ts',
  'packages/llm/src/provider-faults.test.ts',
  'packages/llm/src/providers/clouds.test.ts',
  'packages/llm/src/answer-faults.test.ts',
];

const folder = makeFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(TESTS)('with the stand-ins, %s', async (test) => {
  await import(await bundled(test, folder));
});
