import { type Agent, createScriptedAgent, type Script, type ScriptStep } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_PIPELINES, OUTCOME_SCHEMAS, SIMPLE, judgePayload, outcomeChoices } from '@attractor/pipeline';
import type { Platform } from '../../platform.ts';
import { lookAtEachEvent } from '../../test-support/look-at-each-event.ts';
import {
  type Edge,
  edgesOf,
  isByAgent,
  nameOf,
  planWalks,
  sampleOf,
  startsAgent,
} from '../../test-support/plan-walks.ts';
import { makeRepository } from '@attractor/repository/testing';
import { must, PERSON, runs } from '@attractor/store/testing';
import { openTestPlatform, statusOf } from '../../test-support/world.ts';
import { readProjectConfig } from '@attractor/project-config';
import type { PipelineDefinition, PromptAnswer } from '@attractor/store';

const PAYLOADS: Readonly<Record<string, unknown>> = {
  no_change: { reason: 'It is so already.' },
  clarified: { clarified_query: 'All of it.' },
  propose_split: { reason: 'r', subtasks: [{ name: 'a', title: 'A', description: 'd' }] },
  needs_info: { questions: [{ id: 'q1', question: 'Which colour?' }] },
  options_proposed: {
    summary: 'Two ways',
    options: [
      { id: 'a', label: 'A', description: 'fast' },
      { id: 'b', label: 'B', description: 'small' },
    ],
  },
  changes_requested: { summary: 'Nearly', comments: [{ comment: 'Off by one', severity: 'critical' }] },
};

/** Each transition from each status that it can leave in a soak (SOAK=1). */
const wantedOf = runs(1) > 1 ? edgesOf : sampleOf;

describe('every transition of every built-in pipeline', () => {
  it.each(BUILT_IN_PIPELINES.map((pipeline) => [pipeline.id, pipeline] as const))(
    'takes place in %s, for a person or an agent, and each of its hooks does its work',
    async (_id, pipeline) => {
      const wanted = wantedOf(pipeline);
      const walks = planWalks(pipeline, wanted);
      const { agent, follow } = agentOnWalks(walks);
      const platform = await openTestPlatform({ agents: [agent] });
      follow(platform);
      const path = await makeRepository({ 'readme.md': 'A sample.\n', ...(isTested(pipeline) ? TESTED : {}) });
      const { id: projectId } = must(await platform.workflow.createProject({ path }, PERSON));
      const config = must(readProjectConfig(path, { home: path }));
      must(await platform.workflow.trustConfig(projectId, config.hash, PERSON));
      const taken = await Promise.all(
        walks.map(async (walk, index) => {
          const input = { projectId, title: `Walk ${index}`, pipelineId: pipeline.id };
          const task = must(await platform.workflow.createTask(input, PERSON));
          return walkTask(platform, task.id, walk);
        }),
      );
      expect(taken.flat()).toEqual(expect.arrayContaining(wanted.map(nameOf)));
    },
  );

  it('would fail for one that nothing leads to', () => {
    const lost = { id: 'lost', from: 'in_progress', to: 'done', label: 'Lost', trigger: { type: 'manual' } } as const;
    const guards = [{ type: 'has_final_pr' }];
    const broken = { ...SIMPLE, transitions: [...SIMPLE.transitions, { ...lost, guards }] };
    expect(() => planWalks(broken, wantedOf(broken))).toThrow(
      'No walk through "simple" takes in_progress -lost-> done',
    );
  });

  it('has a payload here for every outcome that needs one', () => {
    for (const outcome of Object.keys(OUTCOME_SCHEMAS))
      expect(judgePayload(outcomeChoices([outcome]), outcome, PAYLOADS[outcome])).toBeNull();
  });
});

/** Tests that fail while the file is there: whoever writes tests makes it, whoever implements removes it. */
const RED = 'tests/red.md';
const TESTED = {
  '.attractor/config.json': JSON.stringify({ checks: { test: { command: `test ! -e ${RED}` } } }),
};

function isTested({ transitions }: PipelineDefinition): boolean {
  return transitions.some(({ hooks = [] }) => hooks.some(({ params }) => params?.['expect'] === 'red'));
}

/** Each run of a task does what its walk asks for next: reports, fails, or works on until it is stopped. */
function agentOnWalks(walks: ReadonlyArray<ReadonlyArray<Edge>>): {
  readonly agent: Agent;
  readonly follow: (platform: Platform) => void;
} {
  const scripts = walks.map(scriptsOf);
  let workflow: Platform['workflow'] | null = null;
  const scriptOf = async (runId: string): Promise<ReadonlyArray<Script>> => {
    const run = await workflow?.getRun(runId);
    const task = await workflow?.getTask(run?.taskId ?? '');
    const runs = (await workflow?.listRuns({ taskId: task?.id ?? '' })) ?? [];
    const walk = scripts[Number(task?.title.replace('Walk ', ''))] ?? [];
    return walk.slice(runs.findIndex(({ id }) => id === runId)).slice(0, 1);
  };
  return {
    agent: {
      ...createScriptedAgent([]),
      run: async (options) => createScriptedAgent(await scriptOf(options.runId)).run(options),
    },
    follow: (platform) => void ({ workflow } = platform),
  };
}

function scriptsOf(walk: ReadonlyArray<Edge>): Script[] {
  return walk.flatMap(({ transition }, index) =>
    startsAgent(transition) ? [{ steps: stepsFor(walk[index + 1], index) }] : [],
  );
}

type Work = (index: number) => ReadonlyArray<ScriptStep>;

const ANYWHERE: Work = (index) => [
  { do: 'createFile', path: `work-${index}.md`, content: 'done\n' },
  { do: 'deleteFile', path: RED },
];

/** Stages that may not write everything. */
const WORK_IN: Readonly<Record<string, Work>> = {
  writing_tests: (index) => [
    { do: 'createFile', path: `tests/work-${index}.md`, content: 'done\n' },
    { do: 'createFile', path: RED, content: 'red\n' },
  ],
  modifying: () => [{ do: 'modifyFile', path: 'readme.md', find: 'sample', replace: 'better sample' }],
  committing: () => [],
};

function stepsFor(next: Edge | undefined, index: number): ReadonlyArray<ScriptStep> {
  const trigger = next?.transition.trigger;
  if (trigger?.type === 'agent_error') return [{ do: 'error', message: 'It broke.' }];
  if (trigger?.type !== 'agent_outcome') return [{ do: 'hang' }];
  const { outcome } = trigger;
  const work = outcome === 'pr_ready' ? (WORK_IN[next?.from ?? ''] ?? ANYWHERE)(index) : [];
  return [...work, { do: 'output', text: 'My words.' }, { do: 'outcome', outcome, payload: PAYLOADS[outcome] }];
}

/** The edges as the task's own history tells of them. */
async function walkTask(platform: Platform, taskId: string, walk: ReadonlyArray<Edge>): Promise<ReadonlyArray<string>> {
  for (const [index, edge] of walk.entries()) {
    if (!isByAgent(edge.transition)) await goByHand(platform, taskId, edge);
    await untilMoved(platform, taskId, { count: index + 1, edge });
  }
  const history = await platform.workflow.history(taskId);
  for (const { transitionId, hooksExecuted } of history)
    expect({ transitionId, failed: hooksExecuted.filter(({ ok }) => !ok) }).toEqual({ transitionId, failed: [] });
  expect(history.map(({ transitionId }) => transitionId)).toEqual(walk.map(({ transition }) => transition.id));
  expect(await statusOf(platform, taskId)).toBe(walk.at(-1)?.transition.to);
  await untilIdle(platform, taskId);
  return history.map(({ from, transitionId, to }) => `${from} -${transitionId}-> ${to}`);
}

/** By an answer where one leads there, as a person would; else by the command. */
async function goByHand({ workflow, ...platform }: Platform, taskId: string, { transition }: Edge): Promise<void> {
  if (transition.guards?.some(({ type }) => type === 'no_running_agent') === true) {
    for (const { id } of await workflow.listRuns({ taskId, status: 'running' })) {
      const refused = await workflow.transition({ taskId, to: transition.to }, PERSON);
      expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('no_running_agent') } });
      must(await workflow.stopAgent(id, PERSON));
    }
    await untilIdle({ workflow, ...platform }, taskId);
  }
  const [prompt] = await workflow.listPrompts({ taskId, status: 'pending' });
  const leads = Object.entries(
    prompt !== undefined && 'answers' in prompt.payload ? (prompt.payload.answers ?? {}) : {},
  ).find(([, to]) => to === transition.to);
  if (prompt === undefined || leads === undefined) {
    must(await workflow.transition({ taskId, to: transition.to }, PERSON));
    return;
  }
  const answer = { decision: leads[0] as PromptAnswer['decision'], message: 'Said by a person.' };
  must(await workflow.answerPrompt({ promptId: prompt.id, contentHash: prompt.contentHash, answer }, PERSON));
}

function untilIdle({ workflow }: Pick<Platform, 'workflow'>, taskId: string): Promise<void> {
  return lookAtEachEvent(workflow, {
    taskId,
    look: async () => (await workflow.listRuns({ taskId, status: 'running' })).length === 0,
    inVain: () => 'Waited in vain for: no running agent',
  });
}

function untilMoved(
  { workflow }: Platform,
  taskId: string,
  { count, edge }: { readonly count: number; readonly edge: Edge },
): Promise<void> {
  return lookAtEachEvent(workflow, {
    taskId,
    look: async () => (await workflow.history(taskId)).length >= count,
    inVain: () => `Waited in vain for: ${nameOf(edge)}`,
  });
}
