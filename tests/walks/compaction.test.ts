import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { makeFolder } from './attractor.ts';

const attractor = mostlyHere(['-p']);

type Fields = Readonly<Record<string, unknown>>;

const WISH = 'Use tabs, and never touch legal.txt.';

async function makeWorld() {
  const simulator = await startSimulator({
    script: {
      conversations: [
        { match: { system: { contains: 'You write the summary' } }, turns: [{ text: 'In short.', repeat: 'forever' }] },
        { turns: [{ text: `Long. ${'And longer. '.repeat(600)}`, repeat: 'forever' }] },
      ],
    },
  });
  onTestFinished(() => simulator.close());
  const home = makeFolder();
  const folder = makeFolder();
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  const place = ['--base-url', simulator.baseUrls.anthropic, '--allow-unsandboxed', '--output-format', 'stream-json'];
  const ask = async (...flags: ReadonlyArray<string>): Promise<ReadonlyArray<Fields>> => {
    const env = { ANTHROPIC_API_KEY: 'none' };
    const { code, stdout, stderr } = await attractor([...model, ...place, ...flags], { home, cwd: folder, env });
    expect([code, stderr]).toEqual([0, '']);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fields);
  };
  return { folder, ask, bodies: () => simulator.requests().map(({ body }) => JSON.stringify(body)) };
}

describe('a long conversation with attractor -p', () => {
  test('is compacted by /compact, keeps what the person said, and counts the summary', async () => {
    const { ask, bodies } = await makeWorld();
    const [init] = await ask('-p', WISH);
    const session = String(init?.['session_id']);
    await ask('-p', 'Go on.', '--resume', session);
    const lines = await ask('-p', '/compact keep the names', '--resume', session);
    expect(lines.find(({ subtype }) => subtype === 'compact_boundary')).toMatchObject({
      compact_metadata: { trigger: 'manual' },
    });
    expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', num_turns: 0 });
    expect(Number(lines.at(-1)?.['total_cost_usd'])).toBeGreaterThan(0);
    expect(bodies().at(-1)).toContain('keep the names');
    await ask('-p', 'And now?', '--resume', session);
    expect(bodies().at(-1)).toContain('The conversation so far was compacted');
    expect(bodies().at(-1)).toContain(WISH);
    expect(bodies().at(-1)).not.toContain('And longer. And longer. And longer.');
  });

  test('/remember is known to every later session of the project', async () => {
    const { ask, bodies, folder } = await makeWorld();
    await ask('-p', '/remember deploy with make ship');
    expect(bodies()).toEqual([]);
    expect(readFileSync(path.join(folder, '.attractor', 'memory.md'), 'utf8')).toContain('- deploy with make ship');
    await ask('-p', 'hello');
    expect(bodies().at(-1)).toContain('deploy with make ship');
  });
});
