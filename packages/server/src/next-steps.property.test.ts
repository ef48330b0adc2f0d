import { type Agent, createScriptedAgent, type Script, type ScriptStep } from '@attractor/adapters';
import { describe, expect, it } from 'vitest';
import { must, newRepository, openRealWorld } from './test-support/real-world.ts';

const SOAK = process.env['SOAK'] === '1';
const STEPS = SOAK ? 300 : 6;

/** What an agent may report, with a payload that fits. */
const REPORTS: Readonly<Record<string, unknown>> = {
  plan_complete: undefined,
  pr_ready: undefined,
  approved: undefined,
  design_ready: undefined,
  reproduced: undefined,
  cannot_reproduce: undefined,
  needs_info: { questions: [{ id: 'q1', question: 'Which?', inputType: 'choice', options: ['this', 'that'] }] },
  options_proposed: {
    summary: 'Two ways',
    options: [
      { id: 'a', label: 'A', description: 'One way' },
      { id: 'b', label: 'B', description: 'Another' },
    ],
  },
  propose_split: {
    reason: 'Two things',
    subtasks: [
      { name: 'a', title: 'A', description: 'One', pipelineId: 'simple' },
      { name: 'b', title: 'B', description: 'Another', dependsOn: ['a'] },
    ],
  },
  changes_requested: { summary: 'Not yet', comments: [{ comment: 'Name it', severity: 'suggestion' }] },
};

/** Does something, then reports any of what it may report, or fails. */
function moodyAgent(random: () => number): Agent {
  let work = 0;
  const scriptOf = (outcomes: ReadonlyArray<string>): Script => {
    const outcome = outcomes[Math.floor(random() * (outcomes.length + 1))];
    if (outcome === undefined) return { steps: [{ do: 'error', message: 'It broke.' }] };
    work += 1;
    const change: ReadonlyArray<ScriptStep> =
      outcome === 'pr_ready'
        ? [
            { do: 'createFile', path: `work-${work}.txt`, content: `${work}\n` },
            { do: 'commit', message: `Work ${work}` },
          ]
        : [{ do: 'output', text: `Thought ${work}` }];
    return { steps: [...change, { do: 'outcome', outcome, payload: REPORTS[outcome] }] };
  };
  const plain = createScriptedAgent([]);
  return {
    ...plain,
    run: (options) => {
      const offered = options.outcomes.map(({ outcome }) => outcome).filter((outcome) => outcome in REPORTS);
      return createScriptedAgent([scriptOf(offered)]).run(options);
    },
  };
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe.each(['coding', 'coding-stages', 'coding-tdd', 'coding-auto', 'feature', 'bug', 'chore', 'simple'])(
  'a task of the pipeline %s',
  (pipelineId) => {
    it('always has a next step, and every one that is taken is accepted', async () => {
      const seed = SOAK ? Date.now() % 1_000_000 : 7;
      const random = randomOf(seed);
      const { client, fetch, idle } = await openRealWorld([], [moodyAgent(random)]);
      const project = must(await client.projects.create({ path: newRepository() }));
      const task = must(await client.tasks.create({ projectId: project.id, title: 'Walk', pipelineId }));
      const walked: string[] = [];
      for (let step = 0; step < STEPS; step += 1) {
        await idle();
        const [stated] = must(await client.tasks.states({ ids: task.id }));
        const ways = (stated?.state.steps ?? []).flatMap(({ call, label }) => (call === null ? [] : [{ call, label }]));
        const way = ways[Math.floor(random() * ways.length)];
        walked.push(`${stated?.task.status ?? 'gone'} ${stated?.state.label ?? ''} → ${way?.label ?? 'nothing'}`);
        const body = JSON.stringify(way?.call.body ?? {});
        const response = way === undefined ? null : await fetch(way.call.path, { method: way.call.method, body });
        const answer = response === null ? 'There is no step' : response.ok ? 'ok' : await response.text();
        expect({ seed, walked, answer }).toEqual({ seed, walked, answer: 'ok' });
      }
    });
  },
);
