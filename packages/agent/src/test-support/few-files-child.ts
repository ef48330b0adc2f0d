/*
 * Opens every descriptor it can, runs a command, closes them, and runs another:
 *   node few-files-child.ts ROOT
 */
import { closeSync, openSync } from 'node:fs';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { EnvironmentError } from '../types/index.ts';

const env = createLocalExecutionEnvironment(process.argv[2] ?? '');
await env.execCommand('true');
const taken: number[] = [];
try {
  for (;;) taken.push(openSync('/dev/null', 'r'));
} catch {
  // Every descriptor is taken. A folder is held while a command starts: leave room for that one.
  for (const fd of taken.splice(-2)) closeSync(fd);
}
const failed = await env.execCommand('true', { envVars: { NEEDS: 'a child of our own' } }).then(
  () => null,
  (error: unknown) => error,
);
for (const fd of taken) closeSync(fd);
const { stdout } = await env.execCommand('echo alive');
await env.cleanup();
process.stdout.write(
  JSON.stringify(
    failed instanceof EnvironmentError
      ? { code: failed.code, retryable: failed.retryable, after: stdout }
      : { other: String(failed) },
  ),
);
