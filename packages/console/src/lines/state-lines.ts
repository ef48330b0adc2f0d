import type { InboxItem, NextStep, TaskState } from '@attractor/api';
import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';
import { moment } from './layout.ts';

/** How a task stands, and since when. */
export function stateLine({ label, since, until }: TaskState): string {
  const end = until === null ? '' : `, until ${moment(until)}`;
  return `${readableText(label)} (since ${moment(since)}${end})`;
}

/** Each step on a line: what it does, and exactly what to type. */
export function stepLines(steps: ReadonlyArray<NextStep>, style: Style): ReadonlyArray<string> {
  const labels = steps.map(({ label }) => oneLine(label));
  const width = Math.min(MOST_WIDE, Math.max(0, ...labels.map(({ length }) => length)));
  return steps.map(
    ({ command }, at) => `  ${(labels[at] ?? '').padEnd(width)}  ${style.accent(readableText(command))}`,
  );
}

const MOST_WIDE = 40;

/** One thing that waits: what it is, all that is asked, and each answer. */
export function inboxLines(item: InboxItem, style: Style): ReadonlyArray<string> {
  const { task, project, state, text, branch } = item;
  const asked = readableText(text).trimEnd();
  return [
    `${style.bold(readableText(state.label))}  ${oneLine(task.title)}`,
    style.dim(
      `  ${task.key} in ${oneLine(project)}, since ${moment(state.since)}${branch === null ? '' : `, on ${oneLine(branch)}`}`,
    ),
    ...(asked === '' ? [] : asked.split('\n').map((line) => `    ${line}`)),
    ...stepLines(state.steps, style),
  ];
}

function oneLine(text: string): string {
  return readableText(text).replaceAll(/\s+/g, ' ').trim();
}
