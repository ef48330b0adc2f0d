import { done, isRecord } from '@attractor/base';
import { givenNameProblems } from './given-names.ts';
import { type DefinitionProblem, nameProblems } from './definition-names.ts';
import { ACTIONS } from './actions/actions.ts';
import { wayProblems } from './definition-ways.ts';
import { GUARDS } from './guards.ts';
import { type PipelineDefinition, refuse, type Result } from '@attractor/store';

/**
 * Validates a definition from outside, or returns a refusal that names every bad place and what is expected there. What `stored`, its
 * newest version, calls by some name keeps that name.
 */
export function readPipelineDefinition(
  value: unknown,
  stored: PipelineDefinition | null = null,
): Result<PipelineDefinition> {
  const problems = [...shapeProblems(value)];
  if (problems.length === 0 && isDefinition(value)) problems.push(...referenceProblems(value), ...nameProblems(value));
  if (problems.length === 0 && isDefinition(value))
    problems.push(...wayProblems(value), ...givenNameProblems(value, stored));
  if (problems.length > 0 || !isDefinition(value)) {
    const lines = problems.map((problem) => `${problem.path}: expected ${problem.expected}`);
    return refuse('invalid', `The pipeline is not valid: ${lines.join('; ')}.`, problems);
  }
  return done(value);
}

type Expectation = { readonly expected: string; readonly holds: (value: unknown) => boolean };

const text: Expectation = { expected: 'a non-empty text', holds: (value) => typeof value === 'string' && value !== '' };
const optionalText: Expectation = {
  expected: 'a text, or nothing',
  holds: (value) => value === undefined || typeof value === 'string',
};
/** It is looked at elsewhere. */
const anything: Expectation = { expected: 'anything', holds: () => true };
const flag: Expectation = { expected: 'true or false', holds: (value) => typeof value === 'boolean' };
const wholeNumber: Expectation = {
  expected: 'a whole number from 0',
  holds: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const positiveNumber: Expectation = {
  expected: 'a whole number from 1',
  holds: (value) => Number.isInteger(value) && Number(value) >= 1,
};
const list: Expectation = {
  expected: 'a list with at least one entry',
  holds: (value) => Array.isArray(value) && value.length > 0,
};
const texts: Expectation = {
  expected: 'a list of texts',
  holds: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

function oneOf(...words: ReadonlyArray<string>): Expectation {
  return {
    expected: `one of ${words.join(', ')}`,
    holds: (value) => typeof value === 'string' && words.includes(value),
  };
}

const DEFINITION: Readonly<Record<string, Expectation>> = {
  id: text,
  version: positiveNumber,
  name: text,
  description: optionalText,
  isDefault: flag,
  statuses: list,
  transitions: list,
  initialStatus: text,
  terminalStatuses: texts,
  outcomes: anything,
};

const STATUS: Readonly<Record<string, Expectation>> = {
  id: text,
  label: text,
  description: optionalText,
  color: text,
  category: oneOf('backlog', 'active', 'review', 'waiting', 'done', 'blocked'),
  position: wholeNumber,
};

const TRANSITION: Readonly<Record<string, Expectation>> = {
  id: text,
  from: text,
  to: text,
  label: text,
  trigger: anything,
  guards: anything,
  hooks: anything,
};
const TRIGGER: Readonly<Record<string, Expectation>> = {
  type: oneOf('manual', 'agent_outcome', 'agent_error', 'subtasks_settled', 'any'),
  outcome: anything,
};
const NAMED: Readonly<Record<string, Expectation>> = { type: text, params: anything };

function* shapeProblems(value: unknown): Generator<DefinitionProblem> {
  yield* fieldProblems(value, '$', DEFINITION);
  if (!isRecord(value)) return;
  for (const [index, status] of items(value['statuses'])) yield* fieldProblems(status, `$.statuses[${index}]`, STATUS);
  for (const [index, transition] of items(value['transitions']))
    yield* transitionProblems(transition, `$.transitions[${index}]`);
}

function* transitionProblems(value: unknown, path: string): Generator<DefinitionProblem> {
  yield* fieldProblems(value, path, TRANSITION);
  if (!isRecord(value)) return;
  yield* fieldProblems(value['trigger'], `${path}.trigger`, TRIGGER);
  const trigger = value['trigger'];
  if (isRecord(trigger) && trigger['type'] === 'agent_outcome' && !text.holds(trigger['outcome'])) {
    yield { path: `${path}.trigger.outcome`, expected: 'the name of an outcome' };
  }
  for (const key of ['guards', 'hooks']) {
    if (value[key] !== undefined && !Array.isArray(value[key]))
      yield { path: `${path}.${key}`, expected: 'a list, or nothing' };
    for (const [index, named] of items(value[key])) yield* fieldProblems(named, `${path}.${key}[${index}]`, NAMED);
  }
}

function* fieldProblems(
  value: unknown,
  path: string,
  fields: Readonly<Record<string, Expectation>>,
): Generator<DefinitionProblem> {
  if (!isRecord(value)) {
    yield { path, expected: 'an object' };
    return;
  }
  for (const [key, expectation] of Object.entries(fields)) {
    if (!expectation.holds(value[key])) yield { path: `${path}.${key}`, expected: expectation.expected };
  }
  // A field that nobody reads, such as a misspelt "guards", would be kept, shown and ignored.
  for (const key of unknownFields(value, fields))
    yield { path: `${path}.${key}`, expected: `none: the fields here are ${Object.keys(fields).join(', ')}` };
}

function unknownFields(value: object, fields: Readonly<Record<string, Expectation>>): ReadonlyArray<string> {
  return Object.keys(value).filter((one) => !Object.hasOwn(fields, one));
}

/** What this version can't follow in a definition that was stored, and so was valid for the version that did: the first of it, or null. */
export function newerPart(definition: PipelineDefinition): string | null {
  for (const found of newerParts(definition)) return found;
  return null;
}

function* newerParts(definition: PipelineDefinition): Generator<string> {
  const fields = (value: object, known: typeof DEFINITION): ReadonlyArray<string> =>
    unknownFields(value, known).map((name) => `field "${name}"`);
  yield* fields(definition, DEFINITION);
  for (const status of definition.statuses) {
    yield* fields(status, STATUS);
    if (STATUS['category']?.holds(status.category) === false) yield `category "${status.category}"`;
  }
  for (const { guards = [], hooks = [], trigger, ...rest } of definition.transitions) {
    yield* [...fields(rest, TRANSITION), ...fields(trigger, TRIGGER)];
    if (TRIGGER['type']?.holds(trigger.type) === false) yield `trigger "${trigger.type}"`;
    for (const named of [...guards, ...hooks]) yield* fields(named, NAMED);
    for (const { type } of guards) if (!Object.hasOwn(GUARDS, type)) yield `guard "${type}"`;
    for (const { type } of hooks) if (!Object.hasOwn(ACTIONS, type)) yield `hook "${type}"`;
  }
}

function* referenceProblems(definition: PipelineDefinition): Generator<DefinitionProblem> {
  const statuses = definition.statuses.map((status) => status.id);
  const known = new Set(statuses);
  const expected = `one of the statuses ${statuses.join(', ')}`;
  yield* duplicates(statuses, '$.statuses');
  yield* duplicates(
    definition.transitions.map((transition) => transition.id),
    '$.transitions',
  );
  if (!known.has(definition.initialStatus)) yield { path: '$.initialStatus', expected };
  for (const [index, status] of definition.terminalStatuses.entries()) {
    if (!known.has(status)) yield { path: `$.terminalStatuses[${index}]`, expected };
  }
  for (const [index, { from, to }] of definition.transitions.entries()) {
    if (from !== '*' && !known.has(from))
      yield { path: `$.transitions[${index}].from`, expected: `"*" or ${expected}` };
    if (!known.has(to)) yield { path: `$.transitions[${index}].to`, expected };
  }
}

function* duplicates(ids: ReadonlyArray<string>, path: string): Generator<DefinitionProblem> {
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) !== index)
      yield { path: `${path}[${index}].id`, expected: `an id of its own ("${id}" is taken)` };
  }
}

function items(value: unknown): ReadonlyArray<readonly [number, unknown]> {
  return Array.isArray(value) ? [...value.entries()] : [];
}

/** Called only if `shapeProblems` found nothing. */
function isDefinition(value: unknown): value is PipelineDefinition {
  return isRecord(value) && Array.isArray(value['statuses']) && Array.isArray(value['transitions']);
}
