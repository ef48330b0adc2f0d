import { isRecord } from '@attractor/base';
import { RUN_MODES } from '@attractor/facts';
import { type Named, type PipelineDefinition, type PipelineTransition, PROMPT_TYPES } from '@attractor/store';
import { ACTIONS, PROMPTS_OF_HOOKS } from './actions/actions.ts';
import { GUARDS } from './guards.ts';
import { OUTCOME_SCHEMAS } from './outcomes/schemas.ts';
import { STAGES, stageOf } from './plan/stages.ts';
import { isRunMode } from './run-modes.ts';

/** What is wrong in a definition: `path` is the place, `expected` says what belongs there. */
export type DefinitionProblem = { readonly path: string; readonly expected: string };

/**
 * Names in a definition that mean nothing: guards and hooks that do not exist, parameters with which they can never pass or act, outcomes
 * that no agent could report. What passes here can happen.
 */
export function* nameProblems(pipeline: PipelineDefinition): Generator<DefinitionProblem> {
  yield* outcomeProblems(pipeline);
  for (const [index, transition] of pipeline.transitions.entries()) {
    const path = `$.transitions[${index}]`;
    const of = { pipeline, transition };
    yield* triggerProblems(of, path);
    for (const [at, guard] of (transition.guards ?? []).entries())
      yield* namedProblems(guard, { known: GUARDS, params: GUARD_PARAMS, of, path: `${path}.guards[${at}]` });
    for (const [at, hook] of (transition.hooks ?? []).entries())
      yield* namedProblems(hook, { known: ACTIONS, params: HOOK_PARAMS, of, path: `${path}.hooks[${at}]` });
  }
}

type Of = { readonly pipeline: PipelineDefinition; readonly transition: PipelineTransition };
type ParamsRule = (params: Readonly<Record<string, unknown>>, of: Of) => Iterable<DefinitionProblem>;

function* triggerProblems({ pipeline, transition }: Of, path: string): Generator<DefinitionProblem> {
  const { trigger } = transition;
  if (trigger.type !== 'agent_outcome' || isOutcome(pipeline, trigger.outcome)) return;
  yield {
    path: `${path}.trigger.outcome`,
    expected: `${quoted(Object.keys(OUTCOME_SCHEMAS))}, or an outcome that $.outcomes describes`,
  };
}

function isOutcome({ outcomes = {} }: PipelineDefinition, name: string): boolean {
  return Object.hasOwn(OUTCOME_SCHEMAS, name) || Object.hasOwn(outcomes, name);
}

/** As in the markers of an agent's text. */
const OUTCOME_NAME = /^\w{1,64}$/;

function* outcomeProblems({ outcomes, transitions }: PipelineDefinition): Generator<DefinitionProblem> {
  if (outcomes === undefined) return;
  if (!isRecord(outcomes)) {
    yield { path: '$.outcomes', expected: 'an object with a description for each name, or nothing' };
    return;
  }
  for (const [name, outcome] of Object.entries(outcomes)) {
    const path = `$.outcomes.${name}`;
    if (!OUTCOME_NAME.test(name)) yield { path, expected: 'a name of letters, digits and underscores' };
    if (Object.hasOwn(OUTCOME_SCHEMAS, name)) yield { path, expected: `another name: every pipeline knows "${name}"` };
    if (!isRecord(outcome) || typeof outcome.description !== 'string' || outcome.description.trim() === '')
      yield { path: `${path}.description`, expected: 'a text that tells agents when to report it' };
    if (isRecord(outcome) && outcome.schema !== undefined && !isRecord(outcome.schema))
      yield { path: `${path}.schema`, expected: 'a JSON Schema, or nothing' };
    const used = transitions.some(({ trigger }) => trigger.type === 'agent_outcome' && trigger.outcome === name);
    if (!used) yield { path, expected: 'a transition that it triggers: agents are offered only outcomes that lead on' };
  }
}

type Naming = {
  readonly known: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, ParamsRule>>;
  readonly of: Of;
  readonly path: string;
};

function* namedProblems({ type, params = {} }: Named, { known, params: rules, of, path }: Naming) {
  if (!Object.hasOwn(known, type)) {
    yield { path: `${path}.type`, expected: quoted(Object.keys(known)) };
    return;
  }
  for (const problem of rules[type]?.(params, of) ?? [])
    yield { path: `${path}.params.${problem.path}`, expected: problem.expected };
}

const STATUS: ParamsRule = function* ({ statusId }, { pipeline }) {
  const statuses = pipeline.statuses.map(({ id }) => id);
  if (typeof statusId !== 'string' || !statuses.includes(statusId))
    yield { path: 'statusId', expected: quoted(statuses) };
};

const GUARD_PARAMS: Readonly<Record<string, ParamsRule>> = {
  has_been_in: STATUS,
  *max_iterations(params, of) {
    const { max = 1 } = params;
    yield* STATUS(params, of);
    if (!Number.isInteger(max) || Number(max) < 1) yield { path: 'max', expected: 'a whole number from 1' };
  },
  *has_payload_response({ payloadType }, { pipeline }) {
    const reported = pipeline.transitions.flatMap(({ trigger }) =>
      trigger.type === 'agent_outcome' ? [trigger.outcome] : [],
    );
    if (payloadType !== undefined && !reported.some((outcome) => outcome === payloadType))
      yield {
        path: 'payloadType',
        expected: `an outcome that triggers a transition: ${quoted([...new Set(reported)])}`,
      };
  },
};

const EXPECTED = ['red', 'green'];

const MODE: ParamsRule = function* ({ mode, stage, expect }) {
  if (mode !== undefined && !isRunMode(mode)) yield { path: 'mode', expected: quoted(RUN_MODES) };
  if (stage !== undefined && stageOf(stage) === null) yield { path: 'stage', expected: quoted(Object.keys(STAGES)) };
  if (expect !== undefined && !EXPECTED.some((known) => known === expect))
    yield { path: 'expect', expected: quoted(EXPECTED) };
};

const HOOK_PARAMS: Readonly<Record<string, ParamsRule>> = {
  start_agent: MODE,
  start_phase_agent: MODE,
  *create_prompt({ type, answers }, of) {
    const known = PROMPTS_OF_HOOKS.find((one) => one === type);
    if (known === undefined) yield { path: 'type', expected: quoted(PROMPTS_OF_HOOKS) };
    if (answers === undefined) return;
    if (!isRecord(answers)) {
      yield { path: 'answers', expected: 'a status for each answer' };
      return;
    }
    const decisions: ReadonlyArray<string> = known === undefined ? [] : PROMPT_TYPES[known].decisions;
    for (const [decision, target] of Object.entries(answers)) {
      if (known !== undefined && !decisions.includes(decision)) yield { path: 'answers', expected: quoted(decisions) };
      if (!leadsTo(of, target))
        yield {
          path: `answers.${decision}`,
          expected: `a status that a person can move the task to from "${of.transition.to}"`,
        };
    }
  },
};

/** Whether a person's answer can be followed from where the question is asked. */
function leadsTo({ pipeline, transition }: Of, target: unknown): boolean {
  const to = target === 'previous' ? transition.from : target;
  if (to === '*') return true;
  return pipeline.transitions.some(
    ({ from, to: end, trigger }) =>
      end === to && (from === transition.to || from === '*') && (trigger.type === 'manual' || trigger.type === 'any'),
  );
}

function quoted(names: ReadonlyArray<string>): string {
  return names.length === 0 ? 'nothing' : `one of ${names.join(', ')}`;
}
