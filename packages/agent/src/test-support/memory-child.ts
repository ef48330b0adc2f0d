/*
 * Does one thing in an environment, and prints the result and how much the peak of memory grew meanwhile:
 *   node memory-child.ts ROOT command COMMAND
 *   node memory-child.ts ROOT read FILE OFFSET LIMIT
 *   node memory-child.ts ROOT grep PATTERN PATH
 */
import { peakSize } from '@attractor/base/testing/peak-size';
import { createLocalExecutionEnvironment } from '../execution/local.ts';

const [root = '', what = '', ...rest] = process.argv.slice(2);
const env = createLocalExecutionEnvironment(root);

const OPERATIONS: Readonly<Record<string, (...words: string[]) => Promise<string>>> = {
  command: async (command) => (await env.execCommand(command ?? '', 120_000)).stdout,
  read: (file, offset, limit) => env.readFile(file ?? '', Number(offset), Number(limit)),
  grep: (pattern, where) => env.grep(pattern ?? '', where ?? '.'),
};

await env.execCommand('true');
await env.readFile('warm.txt', 0, 1);
await env.grep('warm', 'warm.txt');
const before = peakSize();
const output = await OPERATIONS[what]?.(...rest).catch((error: Error) => `${error.name}: ${error.message}`);
const grownBytes = peakSize() - before;
await env.cleanup();
process.stdout.write(
  JSON.stringify({ grownBytes, length: output?.length, start: output?.slice(0, 300), end: output?.slice(-20) }),
);
