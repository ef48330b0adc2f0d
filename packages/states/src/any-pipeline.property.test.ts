import { readPipelineDefinition } from '@attractor/pipeline';
import type { PipelineDefinition } from '@attractor/store';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { everyStateFacts } from './test-support/every-state.ts';
import { stateOf } from './task-state.ts';

const NAMES = ['open', 'work', 'look', 'cancelled', 'done', "it's; odd"];
const name = fc.constantFrom(...NAMES);
const guards = fc.subarray(['has_plan', 'has_branch', 'has_pr', 'no_running_agent'].map((type) => ({ type })));
const hooks = fc.subarray([
  { type: 'start_agent', params: { mode: 'implement' } },
  { type: 'start_agent', params: { mode: 'plan' } },
  { type: 'notify' },
]);
const trigger = fc.oneof(
  fc.constant({ type: 'manual' }),
  fc.constant({ type: 'agent_error' }),
  fc.constantFrom('pr_ready', 'plan_complete', 'own_words').map((outcome) => ({ type: 'agent_outcome', outcome })),
);
const way = fc.record({ from: fc.oneof(name, fc.constant('*')), to: name, trigger, guards, hooks });

/** Whatever people may save, or could before: statuses that nothing leaves or reaches, no end at all, guards that never pass, own outcomes. */
const definition = fc
  .record({
    categories: fc.tuple(
      ...NAMES.map(() => fc.constantFrom('backlog', 'active', 'review', 'waiting', 'done', 'blocked')),
    ),
    initialStatus: name,
    terminalStatuses: fc.subarray(NAMES),
    ways: fc.array(way, { minLength: 1, maxLength: 8 }),
  })
  .map(({ categories, ways, ...ends }) => ({
    id: 'generated',
    version: 1,
    name: 'Generated',
    isDefault: false,
    ...ends,
    statuses: NAMES.map((id, position) => ({ id, label: id, color: 'gray', category: categories[position], position })),
    transitions: ways.map((one, index) => ({ ...one, id: `way_${index}`, label: `${one.to} by ${index}` })),
    ...(ways.some(({ trigger: by }) => 'outcome' in by && by.outcome === 'own_words')
      ? { outcomes: { own_words: { description: 'In its own words' } } }
      : {}),
  }));

const NO_WAY = /^\[(?:\{"path":"\$\.(?:statuses\[\d+\]|terminalStatuses)","expected":"[^}]+"\},?)+\]$/;

it('leaves no task without a next step in any pipeline that can be saved, or could once, whatever the store holds', () => {
  fc.assert(
    fc.property(definition, (given) => {
      const pipeline: PipelineDefinition = JSON.parse(JSON.stringify(given));
      const read = readPipelineDefinition(given, pipeline);
      // Saved before it was refused, or saved now: it may be in the store.
      if (!read.ok) expect(JSON.stringify(read.error.detail)).toMatch(NO_WAY);
      for (const facts of everyStateFacts([pipeline])) {
        const { label, steps } = stateOf(facts);
        if (steps.length === 0) throw new Error(`${facts.task.status}: ${label} has no step`);
        const commands = steps.map(({ command }) => command);
        if (new Set(commands).size !== commands.length)
          throw new Error(`${label} has a step twice: ${commands.join('; ')}`);
      }
    }),
    { numRuns: process.env['SOAK'] === '1' ? 500 : 8 },
  );
});
