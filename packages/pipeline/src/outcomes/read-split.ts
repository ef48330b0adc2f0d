import { isRecord } from '@attractor/base';
import { TASK_FIELDS } from '@attractor/facts';
import type { NewSubtask } from '@attractor/store';

/** The most subtasks that one split makes. */
export const MOST_SUBTASKS = 20;

export type ReadSplit = { readonly subtasks: ReadonlyArray<NewSubtask> } | { readonly problem: string };

/**
 * The parts that a task is split into, from whatever somebody wrote, in an order in which each comes after those that it depends on. What
 * is wrong is said by the names that were written, so that the writer can fix it.
 */
export function readSplit(written: unknown): ReadSplit {
  const listed = isRecord(written) ? written['subtasks'] : written;
  if (!Array.isArray(listed) || listed.length === 0)
    return { problem: 'A split needs a list "subtasks" with at least one entry.' };
  if (listed.length > MOST_SUBTASKS)
    return { problem: `A split has at most ${MOST_SUBTASKS} subtasks, not ${listed.length}: make them larger.` };
  const subtasks: NewSubtask[] = [];
  for (const [at, one] of listed.entries()) {
    const problem = fieldProblem(one, at);
    if (problem !== null || !isSubtask(one)) return { problem: problem ?? `Subtask ${at + 1} can't be read.` };
    if (subtasks.some(({ name }) => name === one.name))
      return { problem: `Two subtasks have the name "${one.name}": each needs a name of its own.` };
    subtasks.push({ ...one, title: one.title.trim() });
  }
  return unknownDependency(subtasks) ?? inOrder(subtasks);
}

const NAME = /^[\w.-]{1,40}$/;
const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

type Rule = { readonly holds: (value: unknown) => boolean; readonly expected: string };

const { title, description, acceptanceCriteria } = TASK_FIELDS;

const RULES: Readonly<Record<string, Rule>> = {
  name: {
    holds: (value) => typeof value === 'string' && NAME.test(value),
    expected: 'a short name of letters, digits, ".", "_" and "-"',
  },
  title: {
    holds: (value) => typeof value === 'string' && value.trim() !== '' && value.length <= title.longest,
    expected: `a text of at most ${title.longest} characters`,
  },
  description: {
    holds: (value) => value === undefined || (typeof value === 'string' && value.length <= description.longest),
    expected: `a text of at most ${description.longest} characters, or nothing`,
  },
  acceptanceCriteria: {
    holds: (value) =>
      value === undefined ||
      (Array.isArray(value) &&
        value.length <= acceptanceCriteria.most &&
        value.every((one) => typeof one === 'string' && one.trim() !== '' && one.length <= acceptanceCriteria.longest)),
    expected: `a list of at most ${acceptanceCriteria.most} texts, or nothing`,
  },
  dependsOn: {
    holds: (value) => value === undefined || isTexts(value),
    expected: 'a list with names of other subtasks, or nothing',
  },
  pipelineId: { holds: (value) => value === undefined || isText(value), expected: "a pipeline's id, or nothing" },
  agentType: { holds: (value) => value === undefined || isText(value), expected: 'a type of agent, or nothing' },
};

function fieldProblem(one: unknown, at: number): string | null {
  if (!isRecord(one)) return `Subtask ${at + 1} is not an object.`;
  const { name } = one;
  const which = typeof name === 'string' && name !== '' ? `Subtask "${name}"` : `Subtask ${at + 1}`;
  const unknown = Object.keys(one).find((field) => !Object.hasOwn(RULES, field));
  if (unknown !== undefined)
    return `${which} has a field "${unknown}" that a subtask does not have; it may have ${Object.keys(RULES).join(', ')}.`;
  const wrong = Object.entries(RULES).find(([field, { holds }]) => !holds(one[field]));
  return wrong === undefined ? null : `${which}: "${wrong[0]}" has to be ${wrong[1].expected}.`;
}

/** Called only if `fieldProblem` found nothing. */
function isSubtask(value: unknown): value is NewSubtask {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['title'] === 'string';
}

function unknownDependency(subtasks: ReadonlyArray<NewSubtask>): { readonly problem: string } | null {
  const names = subtasks.map(({ name }) => name);
  for (const { name, dependsOn = [] } of subtasks)
    for (const first of dependsOn)
      if (!names.includes(first))
        return {
          problem: `Subtask "${name}" depends on "${first}", which is not among the subtasks; they are ${names.join(', ')}.`,
        };
  return null;
}

/** As they were written, but each after those that it depends on. Whatever is left over depends on itself in the end. */
function inOrder(subtasks: ReadonlyArray<NewSubtask>): ReadSplit {
  const placed: NewSubtask[] = [];
  const isPlaced = (name: string) => placed.some((one) => one.name === name);
  for (;;) {
    const left = subtasks.filter(({ name }) => !isPlaced(name));
    if (left.length === 0) return { subtasks: placed };
    const next = left.find(({ dependsOn = [] }) => dependsOn.every(isPlaced));
    if (next === undefined) return { problem: `The subtasks wait for each other in a circle: ${circleOf(left)}.` };
    placed.push(next);
  }
}

function circleOf(left: ReadonlyArray<NewSubtask>): string {
  const path: string[] = [];
  let at = left[0]?.name ?? '';
  while (!path.includes(at)) {
    path.push(at);
    const { dependsOn = [] } = left.find(({ name }) => name === at) ?? {};
    at = dependsOn.find((name) => left.some((one) => one.name === name)) ?? at;
  }
  return [...path.slice(path.indexOf(at)), at].join(' → ');
}
