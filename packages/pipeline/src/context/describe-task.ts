import { fenced } from './fence.ts';
import {
  type Attachment,
  type Criterion,
  criterionLine,
  type Task,
  type TaskNote,
  type TaskPhase,
} from '@attractor/store';
import type { ContextItem } from './fit-budget.ts';

export type TaskFacts = {
  readonly task: Task;
  /** What is wanted, as it was clarified with a person. */
  readonly clarified: string | null;
  readonly parent: Task | null;
  readonly subtasks: ReadonlyArray<Task>;
  readonly criteria: ReadonlyArray<Criterion>;
  readonly phases: ReadonlyArray<TaskPhase>;
  /** The phase of this run. */
  readonly phaseId: string | null;
  readonly notes: ReadonlyArray<TaskNote>;
  readonly attachments: ReadonlyArray<Attachment>;
};

export function describeTask(facts: TaskFacts): ReadonlyArray<ContextItem> {
  const { task } = facts;
  const fields = [
    `Title: ${oneLine(task.title)}`,
    `Priority: ${task.priority}`,
    `Size: ${task.size}`,
    `Complexity: ${task.complexity}`,
    `Tags: ${task.tags.map(oneLine).join(', ') || 'none'}`,
    ...(task.sourceUrl === null ? [] : [`Source: ${oneLine(task.sourceUrl)}`]),
  ];
  return [
    { text: fields.join('\n') },
    task.description.trim() === ''
      ? { text: 'There is no further description.' }
      : { text: task.description, render: (text) => `Description:\n${fenced(text, 'description')}` },
    ...clarifiedItems(facts),
    ...criteriaItems(facts),
    ...family(facts),
    ...phaseLines(facts),
    ...noteItems(facts.notes),
    ...attachmentLines(facts.attachments),
  ];
}

function clarifiedItems({ clarified, task }: TaskFacts): ReadonlyArray<ContextItem> {
  if (clarified === null || clarified === task.title) return [];
  return [{ text: clarified, render: (text) => `What is wanted, as it was clarified:\n${fenced(text, 'clarified')}` }];
}

function criteriaItems({ criteria }: TaskFacts): ReadonlyArray<ContextItem> {
  if (criteria.length === 0) return [];
  const lines = criteria.map((one) => oneLine(criterionLine(one)));
  return [{ text: `Acceptance criteria (all of them must hold at the end):\n${lines.join('\n')}` }];
}

function family({ parent, subtasks }: TaskFacts): ReadonlyArray<ContextItem> {
  const lines = subtasks.map(({ title, status }) => `- ${oneLine(title)} (${status})`);
  return [
    ...(parent === null ? [] : [{ text: `This task is a part of: ${oneLine(parent.title)}` }]),
    ...(lines.length === 0 ? [] : [{ text: `Its subtasks, which are worked on by themselves:\n${lines.join('\n')}` }]),
  ];
}

function phaseLines({ phases, phaseId }: TaskFacts): ReadonlyArray<ContextItem> {
  if (phases.length === 0) return [];
  const lines = phases.map(({ id, name, status }, index) => {
    return `${index + 1}. ${oneLine(name)} (${status})${id === phaseId ? ' ← this run' : ''}`;
  });
  const current = phases.find(({ id }) => id === phaseId);
  const scope =
    current === undefined
      ? []
      : [{ text: current.description, render: (text: string) => `Work on this phase only:\n${fenced(text, 'phase')}` }];
  return [{ text: `The task was split into phases:\n${lines.join('\n')}` }, ...scope];
}

function noteItems(notes: ReadonlyArray<TaskNote>): ReadonlyArray<ContextItem> {
  return notes.map(({ text, author }) => ({
    text,
    render: (shown) => `Note of ${oneLine(author.name ?? author.type)}:\n${fenced(shown, 'note')}`,
  }));
}

function attachmentLines(attachments: ReadonlyArray<Attachment>): ReadonlyArray<ContextItem> {
  if (attachments.length === 0) return [];
  const lines = attachments.map(({ name, mediaType, size }) => `- ${oneLine(name)} (${mediaType}, ${size} bytes)`);
  return [{ text: `Attachments (those that are text follow below):\n${lines.join('\n')}` }];
}

/** A title with line breaks could pose as a section of its own. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
