import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Hears signals, says when it is asked to stop, and ends properly a moment later. */
const hearing = (signals: string): string => `
import { catchCtrlC } from '${import.meta.dirname}/ctrl-c.ts';
const ctrlC = catchCtrlC({ steers: false });
ctrlC.signal.addEventListener('abort', () => {
  process.stdout.write('asked ');
  setTimeout(() => {
    process.stdout.write('ended');
    process.exit(ctrlC.exitCode());
  }, 10);
});
${signals}`;

const run = (signals: string) => {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', hearing(signals)]);
  return [stdout.toString(), status];
};

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('%s that comes twice, from a supervisor and from a parent that forwards it, is one', (signal, code) => {
  expect(run(`for (const signal of ['${signal}', '${signal}']) process.emit(signal);`)).toEqual(['asked ended', code]);
});

test('who asks again ends it at once', () => {
  expect(run(`for (const signal of ['SIGTERM', 'SIGINT']) process.emit(signal);`)).toEqual(['asked ', 130]);
});
