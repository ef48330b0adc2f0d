import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { COMMAND, makeFolder } from './attractor.ts';

const TELL = 'data:text/javascript,process.on("exit",()=>console.error(JSON.stringify(process.moduleLoadList)))';

/** Each costs milliseconds to load, and an import in the wrong place is enough to load it. */
const COSTLY = [
  'zlib',
  'internal/deps/undici/undici',
  'internal/fs/streams',
  'internal/fs/watchers',
  'internal/readline/interface',
  'internal/webstreams/transformstream',
];

test('a headless run with a short answer loads nothing of Node that is slow to load and not needed', async () => {
  const simulator = await startSimulator({ script: { turns: [{ text: 'Done.' }] } });
  onTestFinished(() => simulator.close());
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const place = ['--base-url', simulator.baseUrls.anthropic, '--cwd', makeFolder(), '--allow-unsandboxed'];
  const home = makeFolder();
  const env = { HOME: home, ATTRACTOR_HOME: home, PATH: '/usr/bin:/bin', ANTHROPIC_API_KEY: 'sk-test' };
  const run = () =>
    promisify(execFile)(process.execPath, ['--import', TELL, COMMAND, '-p', 'Hello.', ...model, ...place], { env });
  // The first run of a home may have more to do.
  await run();
  const { stdout, stderr } = await run();
  expect(stdout.trim()).toBe('Done.');
  const loaded: ReadonlyArray<string> = JSON.parse(stderr.trim().split('\n').at(-1) ?? '[]');
  expect(loaded.length).toBeGreaterThan(50);
  expect(COSTLY.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
});
