import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { createNativeAgent } from '@attractor/adapters';
import { createClient } from '@attractor/llm';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { startSimulator } from '@attractor/simulator';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openPlatform } from '../platform.ts';
import { unconfined } from '@attractor/run';

const CHILD = join(import.meta.dirname, '../test-support/message-child.ts');

const TURNS = [
  { toolCalls: [{ use: 'shell' as const, command: 'sh wait.sh' }] },
  { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
  { text: 'Finished.' },
];

/** In a process of its own; resolves with the signal that ended it. */
async function work(args: ReadonlyArray<string>): Promise<string | null> {
  const child = spawn(process.execPath, [bundledProgram(CHILD), ...args], {
    env: { ...ENV, HOME: makeFolder(), ...compileCache() },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [err, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (code !== 0 && signal === null) throw new Error(err);
  return signal;
}

it.each(['before', 'after'])(
  'a worker that is killed %s it records that its agent has a message: the message is in the conversation once, and recorded once',
  async (strike) => {
    const simulator = await startSimulator({ script: { turns: TURNS } });
    const address = simulator.baseUrls.anthropic;
    const client = createClient({
      configuration: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: address } } },
    });
    onTestFinished(async () => {
      await client.close();
      await simulator.close();
    });
    const home = makeFolder();
    const open = async (concurrency: number) =>
      must(
        await openPlatform({
          home,
          agents: [createNativeAgent({ client, defaultProvider: 'anthropic', defaultModel: 'claude-sonnet-4-5' })],
          env: ENV,
          confine: unconfined,
          concurrency,
          leaveAfterMs: 20,
        }),
      );
    const path = await makeRepository({ 'wait.sh': 'echo waited > waited.txt\n' });

    const first = await open(1);
    const { id: projectId } = must(await first.workflow.createProject({ path }, PERSON));
    const { id: taskId } = must(
      await first.workflow.createTask({ projectId, title: 'Wait', pipelineId: 'simple' }, PERSON),
    );
    must(await first.workflow.startAgent({ taskId, mode: 'implement' }, PERSON));
    await first.worker.idle();
    await first.close();

    const person = await open(0);
    must(await person.workflow.sendMessage({ taskId, text: 'Mind the gap.' }, PERSON));
    const [prompt] = await person.workflow.listPrompts({ taskId, status: 'pending' });
    must(await person.workflow.answerPrompt({ promptId: prompt?.id ?? '', answer: { decision: 'approve' } }, PERSON));
    await person.close();

    expect(await work([home, address, strike])).toBe('SIGKILL');
    expect(await work([home, address, 'never'])).toBeNull();

    const last = await open(0);
    onTestFinished(last.close);
    expect(await last.workflow.listRuns({ taskId })).toMatchObject([{ status: 'completed', outcome: 'pr_ready' }]);
    expect(await last.workflow.listMessages(taskId)).toMatchObject([
      { via: 'steering', deliveredAt: expect.any(String) },
    ]);
    const told = (await last.workflow.events({ taskId, limit: 1000 })).filter(
      ({ type }) => type === 'message.delivered',
    );
    expect(told).toHaveLength(1);
    const heard = simulator.requests().map((request) => JSON.stringify(request).split('Mind the gap.').length - 1);
    expect(heard[0]).toBe(0);
    expect(new Set(heard.slice(1))).toEqual(new Set([1]));
  },
);
