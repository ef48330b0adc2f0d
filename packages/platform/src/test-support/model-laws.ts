import { expect } from 'vitest';
import { type AgentRun, type PipelineDefinition, type PlatformEvent, RUN_STEPS } from '@attractor/store';
import type { ModelWorld } from './model-world.ts';
import { git } from '@attractor/repository/testing';

const ENDS: ReadonlySet<string> = new Set(['agent.completed', 'agent.failed', 'agent.cancelled']);

/** What must be true of everything that happened, read from the log, the tables and the repository. */
export async function expectLawful({ fronts, path }: ModelWorld): Promise<void> {
  const [{ workflow }] = fronts;
  const events = await workflow.events({ limit: 1_000_000 });
  const all = await workflow.listRuns({});
  for (const task of await workflow.listTasks()) {
    const pipeline = await workflow.getPipeline(task.pipelineId, task.pipelineVersion);
    const own = events.filter(({ taskId }) => taskId === task.id);
    if (pipeline !== null) expectLegalMoves(own, pipeline, task.status);
    expectOneAtATime(own);
    const artifacts = (await workflow.listArtifacts(task.id)).map(({ key }) => key);
    expect(new Set(artifacts).size).toBe(artifacts.length);
  }
  for (const run of all)
    expectOneEnd(
      run,
      events.filter(({ runId }) => runId === run.id),
    );
  const retried = all.flatMap(({ retry }) => (retry === undefined ? [] : [retry.of]));
  expect(new Set(retried).size).toBe(retried.length);
  for (const prompt of await workflow.listPrompts()) {
    const answers = events.filter(({ type, data }) => type === 'prompt.answered' && idOf(data['prompt']) === prompt.id);
    expect({ id: prompt.id, answers: answers.length }).toEqual({
      id: prompt.id,
      answers: prompt.status === 'answered' ? 1 : 0,
    });
  }
  const trailers = await git(path, 'log', '--all', '--format=%(trailers:key=Attractor-Run,valueonly)');
  const commits = trailers.split('\n').filter((line) => line !== '');
  expect(new Set(commits).size).toBe(commits.length);
  expect(await git(path, 'worktree', 'list', '--porcelain')).not.toContain('locked');
}

function idOf(thing: unknown): unknown {
  return typeof thing === 'object' && thing !== null && 'id' in thing ? thing.id : undefined;
}

/** Each move begins where the last one ended, along a transition of the pipeline that fits the actor. */
function expectLegalMoves(events: ReadonlyArray<PlatformEvent>, pipeline: PipelineDefinition, status: string): void {
  let at = pipeline.initialStatus;
  for (const { data, actor } of events.filter((event) => event.type === 'status.changed')) {
    const { from, to, transitionId } = data;
    const way = pipeline.transitions.find(({ id }) => id === transitionId);
    expect(from).toBe(at);
    expect({ from: way?.from === '*' ? from : way?.from, to: way?.to }).toEqual({ from, to });
    expect(way?.trigger.type === 'manual').toBe(actor.type === 'user');
    expect(pipeline.terminalStatuses).not.toContain(from);
    at = String(to);
  }
  expect(status).toBe(at);
}

/** A task's next run starts only after the previous one has ended. */
function expectOneAtATime(events: ReadonlyArray<PlatformEvent>): void {
  let running: string | null = null;
  for (const { type, runId } of events) {
    if (type === 'agent.started') {
      expect(running).toBeNull();
      running = runId;
    }
    if (ENDS.has(type)) {
      expect(runId).toBe(running);
      running = null;
    }
  }
  expect(running).toBeNull();
}

function expectOneEnd(run: AgentRun, events: ReadonlyArray<PlatformEvent>): void {
  const ends = events.filter(({ type }) => ENDS.has(type)).map(({ type }) => type);
  expect({ run: run.id, ends }).toEqual({ run: run.id, ends: [END_OF[run.status]] });
  const steps = events.filter((event) => event.type === 'run.step_finished').map(({ data }) => data.step);
  expect(steps).toEqual(RUN_STEPS.filter((step) => steps.includes(step)));
  expect(events.filter(({ type }) => type === 'notification.raised').length).toBeLessThanOrEqual(1);
  const keys = events.filter((event) => event.type === 'agent.message').map(({ data }) => JSON.stringify(data.message));
  expect(new Set(keys).size).toBe(keys.length);
}

const END_OF: Readonly<Record<AgentRun['status'], string | null>> = {
  running: null,
  completed: 'agent.completed',
  failed: 'agent.failed',
  timeout: 'agent.failed',
  cancelled: 'agent.cancelled',
};
