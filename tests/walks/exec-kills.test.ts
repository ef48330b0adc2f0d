import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { until } from './attractor.ts';
import { type ExecWorld, kinds, makeExecWorld, MODEL } from './exec-world.ts';
import { type Moments, watchMoments } from './kill-moments.ts';

const KILLS = process.env['SOAK'] === '1' ? 300 : 5;
const STEPS = 6;
const MOMENTS = 40;

const call = (name: string, args: object): object => ({ name, args });

test('killed with SIGKILL in the middle, a run goes on where it was and repeats no call', async () => {
  const world = await makeExecWorld(
    {
      turns: [
        { toolCalls: [call('file_patch', { path: 'list', patches: [{ find: 'END', replace: 'once\nEND' }] })] },
        {
          text: 'I think.',
          fault: { kind: 'stall', headers: 'held' },
          toolCalls: [call('file_read', { path: 'list' })],
        },
        { expect: { toolResult: 'once' }, text: 'Done.' },
      ],
    },
    { list: 'END\n' },
  );
  const running = world.start([], { stdin: '{"A":1}' });
  await until(() => world.simulator.requests()[1], 'the second request');
  running.child.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');
  const id = world.sessionId();
  expect(await world.run([id])).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' });
  expect(readFileSync(path.join(world.workspace, 'list'), 'utf8')).toBe('once\nEND\n');
  expect(world.simulator.failures()).toEqual([]);
  expect(kinds(world.records(), 'USER_INPUT')).toHaveLength(1);
  expectOnceEach(world);
});

/** Each step leaves a trace that would show twice if it were done twice. */
function stepCalls(step: number): ReadonlyArray<object> {
  return [
    call('file_patch', { path: 'list', patches: [{ find: 'END', replace: `step-${step}\nEND` }] }),
    call('file_write', { path: `made-${step}`, content: `step-${step}\n` }),
  ];
}

test(`${KILLS} SIGKILLs at any moment double no effect and lose nothing that was done; each run comes to its end`, async () => {
  const tally = { kills: 0, interrupted: 0 };
  while (tally.kills < KILLS) {
    const world = await makeExecWorld(
      { turns: [...script(), { text: 'All done.', repeat: 'forever' }] },
      { list: 'END\n' },
    );
    const moments = await watchMoments(world.simulator.url, world.workspace);
    for (let done = false; !done;) {
      const killAt = tally.kills < KILLS ? 1 + Math.floor(Math.random() * MOMENTS) : Infinity;
      const killed = await runOnce(world, moments, killAt);
      if (killed) tally.kills++;
      done = !killed;
    }
    tally.interrupted += checkEffects(world);
    await moments.close();
  }
  expect(tally.kills).toBe(KILLS);
});

function script(): ReadonlyArray<object> {
  return Array.from({ length: STEPS }, (_, step) => ({
    text: `Step ${step}.`,
    chunkSize: { random: step + 1, max: 700 },
    toolCalls: stepCalls(step),
  }));
}

/** Begins, or goes on with what `.session` says; true when it was killed on the way. */
async function runOnce(world: ExecWorld, moments: Moments, killAt: number): Promise<boolean> {
  const begun = readdirSync(world.workspace).includes('.session');
  const model = ['--provider=anthropic', '--model', MODEL, '--base-url', moments.url];
  const { child, ended } = world.start(begun ? ['--continue'] : [], { model });
  moments.follow(child, (count) => {
    if (count === killAt) child.kill('SIGKILL');
  });
  const { signal, code, stdout, stderr } = await ended;
  if (signal === 'SIGKILL') return true;
  expect([code, stdout, stderr]).toEqual([0, 'All done.\n', '']);
  return false;
}

/** What was told as done is there once; what was interrupted at most once; nothing else is there. */
function checkEffects(world: ExecWorld): number {
  expectOnceEach(world);
  const names = readdirSync(world.workspace).filter((name) => name !== '.git');
  expect(names.filter((name) => !/^(list|made-\d|\.session)$/.test(name))).toEqual([]);
  const list = readFileSync(path.join(world.workspace, 'list'), 'utf8').split('\n');
  const steps = list.filter((line) => line.startsWith('step-'));
  expect(new Set(steps).size).toBe(steps.length);
  let interrupted = 0;
  const calls = new Map(kinds(world.records(), 'TOOL_CALL_START').map((event) => [event['toolCallId'], event]));
  for (const end of kinds(world.records(), 'TOOL_CALL_END')) {
    const start = calls.get(end['toolCallId']);
    const step = /step-\d+/.exec(JSON.stringify(start?.['args']))?.[0] ?? '';
    if (String(end['output']).startsWith('interrupted')) interrupted++;
    else if (start?.['toolName'] === 'file.patch') expect(steps).toContain(step);
    else expect(names).toContain(step.replace('step-', 'made-'));
  }
  return interrupted;
}

function expectOnceEach(world: ExecWorld): void {
  for (const kind of ['TOOL_CALL_START', 'TOOL_CALL_END']) {
    const ids = kinds(world.records(), kind).map((event) => event['toolCallId']);
    expect(new Set(ids).size).toBe(ids.length);
  }
}
