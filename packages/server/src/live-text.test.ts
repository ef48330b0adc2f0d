import type { Agent, AgentRunOptions } from '@attractor/adapters';
import { foldDelta, NO_LIVE_TEXT, type StreamFrame } from '@attractor/api';
import { RUN_DEFAULTS } from '@attractor/facts';
import { expect, it } from 'vitest';
import { must, newRepository, openRealWorld, type RealWorld } from './test-support/real-world.ts';

const NOTHING_SPENT = { inputTokens: 0, outputTokens: 0, totalCost: 0 };

/** Writes when it is told to. */
function writingAgent() {
  const started = Promise.withResolvers<AgentRunOptions>();
  const ending = Promise.withResolvers<void>();
  const agent: Agent = {
    type: 'writing',
    displayName: 'Writing agent',
    isAvailable: async () => ({ available: true }),
    getDefaultConfig: () => RUN_DEFAULTS,
    run: async (options) => {
      started.resolve(options);
      await ending.promise;
      return { exitCode: 0, finalText: '', tokenUsage: NOTHING_SPENT, outcome: 'pr_ready' };
    },
  };
  return { agent, started: started.promise, end: () => ending.resolve() };
}

async function join({ client }: RealWorld, runId: string) {
  const frames = must(await client.events.stream({ runId }));
  const next = async (isEnough: (frame: StreamFrame) => boolean) => {
    let live = NO_LIVE_TEXT;
    for (;;) {
      const { value } = await frames.next();
      if (value === undefined) throw new Error('the stream ended');
      if (value.kind === 'delta') live = foldDelta(live, value.delta);
      if (isEnough(value)) return live;
    }
  };
  return { next, leave: () => frames.return() };
}

it('who joins late gets the message under way from its beginning, and after its end the message alone', async () => {
  const { agent, started, end } = writingAgent();
  const world = await openRealWorld([], [agent]);
  const project = must(await world.client.projects.create({ path: newRepository() }));
  const task = must(await world.client.tasks.create({ projectId: project.id, title: 'T', pipelineId: 'simple' }));
  const run = must(await world.client.tasks.startRun(task.id, { mode: 'implement' }));
  const options = await started;
  const say = (text: string) => options.onDelta({ kind: 'text_delta', text });
  say('Once ');
  say('upon');
  const first = await join(world, run.id);
  const isWhole = (frame: StreamFrame) => frame.kind === 'delta' && frame.delta.delta.kind === 'text_delta';
  expect(await first.next(isWhole)).toMatchObject({ text: 'Once upon' });
  say(' a time');
  expect(await first.next(isWhole)).toMatchObject({ text: ' a time' });
  await first.leave();
  const second = await join(world, run.id);
  expect(await second.next(isWhole)).toMatchObject({ text: 'Once upon a time' });
  options.onMessage({ key: 'm1', kind: 'text', text: 'Once upon a time' });
  await second.next((frame) => frame.kind === 'event' && frame.event.type === 'agent.message');
  await second.leave();
  const third = await join(world, run.id);
  expect(await third.next((frame) => frame.kind === 'caught_up')).toEqual(NO_LIVE_TEXT);
  say('The end');
  expect(await third.next(isWhole)).toMatchObject({ text: 'The end' });
  await third.leave();
  end();
  await world.idle();
});
