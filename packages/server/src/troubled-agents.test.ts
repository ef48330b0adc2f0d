import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Agent, createScriptedAgent, FOREIGN_KINDS, type Script, type ScriptStep } from '@attractor/adapters';
import { scriptedProgram } from '@attractor/adapters/testing';
import { expect, it } from 'vitest';
import { must, newFolder, newRepository, openRealWorld } from './test-support/real-world.ts';

type Trouble = {
  readonly wire: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: ReadonlyArray<string>;
  /** Of a run that would otherwise hang. */
  readonly timeout?: number;
  /** How its run ended, in one line; how the task stands, and what a person may do first. */
  readonly ends: readonly [status: string, error: RegExp, state: string, step: unknown];
};

const scripted = (wire: string, behaviour: string): Pick<Trouble, 'wire' | 'command'> => ({
  wire,
  command: scriptedProgram(wire, behaviour),
});

/** A program as npm installs it. */
function installed(version: string, mode: number): readonly [string] {
  const file = path.join(newFolder(), 'bin', 'agent');
  mkdirSync(path.dirname(file));
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, mode);
  writeFileSync(path.join(file, '../../package.json'), JSON.stringify({ version }));
  return [file];
}

/** A choice of the pipeline's, which says the line of the run. */
const CHOICE = ['waiting', 'Let the agent continue'] as const;
const LATER = ['paused', 'Stop the agent'] as const;

const troubles = (): Readonly<Record<string, Trouble>> => ({
  missing: {
    wire: 'acp',
    command: ['/nowhere/agent'],
    ends: [
      'failed',
      /is not found \(searched: \/nowhere\/agent\)\. Give agents\.missing in config\.json its "command"/,
      ...CHOICE,
    ],
  },
  old: {
    wire: 'codex',
    command: installed('0.50.0', 0o755),
    ends: [
      'failed',
      /is version 0\.50\.0, and at least 0\.100\.0 is needed\. Install it with: npm install -g/,
      ...CHOICE,
    ],
  },
  newer: {
    ...scripted('acp', 'newer'),
    ends: ['failed', /speaks version 9 of the Agent Client Protocol, and only version 1 is known here/, ...CHOICE],
  },
  notLoggedIn: {
    ...scripted('codex', 'works'),
    env: [],
    ends: [
      'failed',
      /give agents\.notLoggedIn in config\.json "type": "codex" and "env": \["OPENAI_API_KEY"\], or "useMyLogin": true/,
      ...CHOICE,
    ],
  },
  locked: {
    wire: 'claude-code',
    command: installed('9.0.0', 0o644),
    ends: [
      'failed',
      /is not a program that you may run\. Make it executable \(chmod \+x\), or install it again/,
      ...CHOICE,
    ],
  },
  loggedOut: {
    ...scripted('claude-code', 'loggedOut'),
    ends: ['failed', /^Not logged in: please run \/login\.$/, ...CHOICE],
  },
  limited: {
    ...scripted('codex', 'limited'),
    ends: ['failed', /^You have hit your usage limit/, 'paused', expect.any(String)],
  },
  crashes: { ...scripted('codex', 'crashes'), ends: ['failed', /^Codex ended with exit code 9/, ...CHOICE] },
  silent: {
    ...scripted('claude-code', 'silent'),
    ends: ['failed', /did not answer within 0\.3 seconds of its start\. Start it in a terminal/, ...LATER],
  },
  hangs: {
    ...scripted('acp', 'silent'),
    timeout: 1_500,
    ends: ['timeout', /^The agent took longer than its time limit$/, ...LATER],
  },
});

function agentOf(type: string, { wire, command, env = ['FAKE_KEY'] }: Trouble): Agent {
  const make = FOREIGN_KINDS[wire];
  if (make === undefined) throw new Error(wire);
  const host = { PATH: process.env['PATH'], FAKE_KEY: 'none' };
  const definition = { command, env, useMyLogin: false };
  return make({ type, definition, env: host, ...(type === 'silent' ? { silenceMs: 300 } : {}) });
}

async function openWorld(agents: ReadonlyArray<Agent>, more: object = {}) {
  const world = await openRealWorld([], agents);
  // However slow the machine is, the next attempt has not begun.
  const config = { retry: { delayMs: 86_400_000 }, ...more };
  writeFileSync(path.join(world.home, 'config.json'), JSON.stringify(config));
  const repository = newRepository();
  const { id: projectId } = must(await world.client.projects.create({ path: repository }));
  const start = async (agentType: string, timeout = 600_000): Promise<string> => {
    const task = must(await world.client.tasks.create({ projectId, title: agentType, pipelineId: 'simple' }));
    must(await world.client.tasks.startRun(task.id, { mode: 'implement', overrides: { agentType, timeout } }));
    return task.id;
  };
  const stateOf = async (id: string) => must(await world.client.tasks.states({ ids: id }))[0]?.state;
  const runsOf = async (taskId: string) => must(await world.client.runs.list({ taskId }));
  return { ...world, repository, start, stateOf, runsOf };
}

it('an agent that can’t work ends its run in one line, and the task stands where a person can go on', async () => {
  const rows = Object.entries(troubles());
  const world = await openWorld(rows.map(([type, trouble]) => agentOf(type, trouble)));
  const tasks = new Map<string, string>();
  for (const [type, { timeout }] of rows) tasks.set(type, await world.start(type, timeout));
  await world.idle();
  for (const [type, { ends }] of rows) {
    const [status, error, kind, label] = ends;
    const id = tasks.get(type) ?? '';
    const [run] = await world.runsOf(id);
    expect([type, run?.status, run?.error]).toEqual([type, status, expect.stringMatching(error)]);
    expect([type, run?.error?.includes('\n')]).toEqual([type, false]);
    const state = await world.stateOf(id);
    expect([type, state?.kind, state?.steps[0]?.label]).toEqual([type, kind, label]);
  }
});

const PLANS = scriptOf('plan_complete', [{ do: 'output', text: '1. Add a file' }]);
const WORKS = scriptOf('pr_ready', [{ do: 'createFile', path: 'a.txt', content: 'a\n' }]);

function scriptOf(outcome: string, steps: ReadonlyArray<ScriptStep>): Script {
  return { when: { outcome }, steps: [...steps, { do: 'outcome', outcome }] };
}

it('a plan whose approval would start a default agent that is none waits on, and one whose program is missing ends where it can be taken up', async () => {
  const world = await openWorld([createScriptedAgent([PLANS, WORKS])]);
  const file = path.join(world.home, 'config.json');
  const configure = (config: object) => writeFileSync(file, JSON.stringify(config, null, 2));
  const { session_id: id } = must(await world.client.coding.start({ request: 'Add a file' }));
  await world.idle();
  const [prompt] = must(await world.client.prompts.list({ taskId: id, status: 'pending' }));
  const approve = () => world.client.prompts.answer(prompt?.id ?? '', { answer: { decision: 'approve' } });
  configure({ defaultAgentType: 'gone' });
  const refused = { ok: false, error: { code: 'unknown_agent', message: expect.stringContaining(`${file}:2: `) } };
  expect([await approve(), await world.client.coding.approve(id, { approved_plan: '1. Add it' })]).toMatchObject([
    refused,
    refused,
  ]);
  expect(must(await world.client.coding.session(id))).toMatchObject({ stage: 'awaiting_plan_approval' });

  configure({ defaultAgentType: 'mine', agents: { mine: { type: 'cli', command: ['/nowhere/agent'] } } });
  must(await approve());
  await world.idle();
  const failed = (await world.runsOf(id)).find(({ mode }) => mode === 'implement');
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringMatching(/is not found; install it, or give/) });
  const state = await world.stateOf(id);
  const commands = state?.steps.map(({ command }) => command) ?? [];
  expect([state?.kind, commands]).toEqual(['failed', expect.arrayContaining(['attractor doctor'])]);
  expect(commands).toContainEqual(expect.stringMatching(/^attractor tasks transition \S+ implementing$/));

  configure({});
  must(await world.client.tasks.transition(id, { to: 'implementing' }));
  await world.idle();
  expect(must(await world.client.coding.session(id))).toMatchObject({
    stage: 'awaiting_tool_approval',
    pending_action: { type: 'review' },
  });
});

it('an agent that lost its conversation is told anew, and one whose folder is gone waits for the folder', async () => {
  const makes = (type: string, behaviour: string): Agent =>
    agentOf(type, { ...scripted('acp', behaviour), ends: ['', /^$/, '', ''] });
  const world = await openWorld([makes('forgets', 'forgets'), makes('works', 'works')]);
  const forgetful = await world.start('forgets');
  await world.idle();
  expect(await world.runsOf(forgetful)).toMatchObject([{ status: 'completed', outcome: 'pr_ready' }]);
  rmSync(world.repository, { recursive: true });
  const homeless = await world.start('works');
  await world.idle();
  const state = await world.stateOf(homeless);
  expect([state?.kind, state?.detail]).toEqual([
    'queued',
    expect.stringMatching(/is not on this machine.*attractor projects move/),
  ]);
});

it('an agent of a configuration hears in its turn what people say, and is stopped', async () => {
  const mine = { type: 'codex', command: scriptedProgram('codex', 'listens'), env: ['PATH'] };
  const world = await openWorld([], { agents: { mine } });
  const taskId = await world.start('mine');
  const saysIt = async () =>
    (await world.workflow.events({ taskId, limit: 1_000 })).some((event) =>
      JSON.stringify(event).includes('I listen.'),
    );
  while (!(await saysIt())) await wait(20);
  const send = async (text: string) => must(await world.client.messages.send(taskId, { text })).delivery;
  expect([await send('Mind the gap.'), await send('And the step.')]).toEqual(['between_rounds', 'between_rounds']);
  const ways = async () => must(await world.client.messages.list(taskId)).map(({ via }) => via);
  while ((await ways()).some((via) => via === null)) await wait(20);
  expect(await ways()).toEqual(['steering', 'steering']);
  const [run] = await world.runsOf(taskId);
  must(await world.client.runs.stop(run?.id ?? ''));
  await world.idle();
  expect(await world.runsOf(taskId)).toMatchObject([{ status: 'cancelled', agentType: 'mine' }]);
});
