import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScriptedAgent, type AgentMessage, type Script } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../platform.ts';
import { createForeignAgent } from '../test-support/foreign-agent.ts';
import { IMPLEMENT } from '../test-support/scripts.ts';
import { addTask, openTestPlatform, until } from '../test-support/world.ts';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { endLeftover, nameProcess } from '@attractor/system';

const text = (line: string): ReadonlyArray<AgentMessage> => [{ key: line, kind: 'text', text: line }];

async function begin(platform: Platform, path: string, overrides = {}) {
  const { task } = await addTask(platform, { path, pipelineId: 'feature', overrides });
  must(await platform.workflow.transition({ taskId: task.id, to: 'in_progress' }, PERSON));
  return task;
}

const ENDS: ReadonlySet<string> = new Set(['agent.completed', 'agent.failed', 'agent.cancelled']);

async function ended(platform: Platform, taskId: string) {
  await until(platform, { taskId }, (events) => events.some(({ type }) => ENDS.has(type)));
  const [run] = await platform.workflow.listRuns({ taskId });
  if (run === undefined) throw new Error('no run');
  return run;
}

describe('the time of a run', () => {
  it('is not given anew by a restart', async () => {
    const [home, path] = [makeFolder(), await makeRepository()];
    const slow: Script = { when: { outcome: 'pr_ready' }, steps: [{ do: 'output', text: 'On it.' }, { do: 'hang' }] };
    const first = await openTestPlatform({ home, scripts: [slow] });
    const task = await begin(first, path, { timeout: 5_000 });
    await until(first, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.message'));
    await sleep(4_000);
    await first.worker.close();
    const [run] = await first.workflow.listRuns({ taskId: task.id });
    const used = must(await first.workflow.runTimeline(run?.id ?? '')).waiting.onAgentsMs;
    expect(used).toBeGreaterThan(1_000);
    const second = await openTestPlatform({ home, scripts: [slow] });
    expect((await ended(second, task.id)).status).toBe('timeout');
    const { waiting } = must(await second.workflow.runTimeline(run?.id ?? ''));
    // Given anew, it would be used and another five seconds; a busy machine may be late by less than what was used.
    expect(waiting.onAgentsMs).toBeGreaterThanOrEqual(4_990);
    expect(waiting.onAgentsMs).toBeLessThan(used + 5_000);
  });
});

describe('an agent that says nothing', () => {
  it('is noticed once, in the log and live, and goes on', async () => {
    const path = await makeRepository();
    const scripted = createScriptedAgent([IMPLEMENT]);
    const noticed = Promise.withResolvers<void>();
    const quiet: typeof scripted = {
      ...scripted,
      run: (...given) => noticed.promise.then(() => scripted.run(...given)),
    };
    const platform = await openTestPlatform({ agents: [quiet], stallNoticeMs: 200 });
    const live: unknown[] = [];
    platform.workflow.onDelta(({ delta }) => live.push(delta));
    const task = await begin(platform, path);
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.stalled'));
    // Long enough to be noticed again.
    await sleep(500);
    noticed.resolve();
    expect((await ended(platform, task.id)).status).toBe('completed');
    const events = await platform.workflow.events({ taskId: task.id, limit: 1_000 });
    const first = events.findIndex(({ type }) => type === 'agent.message');
    expect(events.slice(0, first).filter(({ type }) => type === 'agent.stalled')).toHaveLength(1);
    expect(live).toContainEqual(expect.objectContaining({ kind: 'notice', level: 'warning' }));
  });
});

describe('an agent of somebody else', () => {
  const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-abcdefghijkl-AA';

  it('has secrets taken out of what it says before they are stored or shown, and is charged what it tells at its end', async () => {
    const path = await makeRepository();
    const script = `console.log('my key is ${KEY}'); console.log('and hush-hush-value-1 too');
      require('node:fs').writeFileSync('sum.sh', 'echo $(( $1 + $2 ))\\n')`;
    const platform = await openTestPlatform({
      agents: [createForeignAgent(script, text)],
      env: { ...ENV, SOME_API_KEY: 'hush-hush-value-1' },
    });
    const live: unknown[] = [];
    platform.workflow.onDelta(({ delta }) => live.push(delta));
    const task = await begin(platform, path);
    const run = await ended(platform, task.id);
    expect(run).toMatchObject({
      status: 'completed',
      tokenUsage: { inputTokens: 70, outputTokens: 7, totalCost: null },
    });
    const stored = JSON.stringify([await platform.workflow.events({ taskId: task.id, limit: 1_000 }), live]);
    expect(stored).toContain('my key is [redacted');
    expect(stored).not.toContain(KEY);
    expect(stored).not.toContain('hush-hush-value-1');
    const costs = must(await platform.workflow.costs({ taskId: task.id }, 'model'));
    expect(costs.rows).toMatchObject([{ key: 'foreign-1', inputTokens: 70, costUsd: null, unpricedCalls: 1 }]);
  });

  it('that does not heed a stop is killed with all that it started', async () => {
    const path = await makeRepository();
    const folder = makeFolder();
    const file = join(folder, 'pids');
    const script = `process.on('SIGTERM', () => {});
      const child = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true });
      require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify([process.pid, child.pid]));
      console.log('begun'); setInterval(() => {}, 1000)`;
    const platform = await openTestPlatform({ agents: [createForeignAgent(script, text)] });
    const task = await begin(platform, path);
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.process_started'));
    await until(platform, { taskId: task.id }, (events) => events.some(({ type }) => type === 'agent.message'));
    const pids: ReadonlyArray<number> = JSON.parse(readFileSync(file, 'utf8'));
    const [run] = await platform.workflow.listRuns({ taskId: task.id });
    must(await platform.workflow.stopAgent(run?.id ?? '', PERSON));
    expect((await ended(platform, task.id)).status).toBe('cancelled');
    for (const pid of pids) await gone(pid);
  });

  it('left running by a dead worker is ended before another goes on, and only if it is still the same process', async () => {
    const script = 'setInterval(() => {}, 1000)';
    const agent = createForeignAgent(script, text);
    let pid = 0;
    const folder = makeFolder();
    const running = agent.run({
      runId: 'run_1',
      projectPath: folder,
      prompt: '',
      config: {},
      outcomes: [],
      statePath: folder,
      readOnly: false,
      env: ENV,
      onMessage: () => undefined,
      onDelta: () => undefined,
      approve: async () => ({ decision: 'reject', message: '' }),
      abortSignal: new AbortController().signal,
      onPidAssigned: (assigned) => {
        pid = assigned;
      },
    });
    const name = nameProcess(pid);
    const stranger = JSON.stringify({ ...JSON.parse(name), started: '1' });
    expect(await endLeftover(stranger)).toBe(false);
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    expect(await endLeftover(name)).toBe(true);
    expect((await running).exitCode).toBe(1);
    expect(await endLeftover(name)).toBe(false);
  });
});

/** Ended, or only waiting to be noticed by its parent. */
async function gone(pid: number): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (performance.now() < deadline) {
    try {
      if (/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return;
    } catch {
      return;
    }
    await sleep(20);
  }
  throw new Error(`Process ${pid} lives on`);
}

describe('usage', () => {
  it('is on disk while the run goes, and told again after a restart it is counted once', async () => {
    const [home, path] = [makeFolder(), await makeRepository()];
    const steps: Script['steps'] = [
      { do: 'usage', inputTokens: 100, outputTokens: 20, costUsd: 0.25 },
      { do: 'delay', ms: 1_500 },
      ...IMPLEMENT.steps,
    ];
    const scripts = [{ ...IMPLEMENT, steps }];
    const first = await openTestPlatform({ home, scripts });
    const task = await begin(first, path);
    await until(first, { taskId: task.id }, (events) =>
      events.some(({ summary }) => summary.startsWith('scripted: 100')),
    );
    expect(must(await first.workflow.costs({ taskId: task.id }, 'task')).total).toMatchObject({
      costUsd: 0.25,
      calls: 1,
    });
    await first.worker.close();
    const second = await openTestPlatform({ home, agents: [createScriptedAgent(scripts)] });
    expect(await ended(second, task.id)).toMatchObject({
      status: 'completed',
      tokenUsage: { inputTokens: 400, outputTokens: 60, totalCost: 0.252 },
    });
    expect(must(await second.workflow.costs({ taskId: task.id }, 'task')).total).toMatchObject({ calls: 2 });
  });
});
