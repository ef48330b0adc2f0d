import type { Plan } from './plan.ts';

/**
 * A plan as people read it, and as `readPlanMarkdown` reads it back. Grammar: the line `# Plan`, the summary, then a heading of the second
 * level for each list that is not empty, with a line for each entry: `- text`, or with a path `- ` and the path in backticks, a colon and
 * the text. Further lines of an entry are indented.
 */
export function planMarkdown(plan: Plan): string {
  const sections = sectionsOf(plan).flatMap(([heading, lines]) =>
    lines.length === 0 ? [] : [`## ${heading}\n\n${lines.join('\n')}`],
  );
  const summary = plan.summary === undefined ? [] : [plan.summary.replaceAll(/^(\\*#)/gm, '\\$1')];
  return [PLAN_HEADING, ...summary, ...sections].join('\n\n');
}

export const PLAN_HEADING = '# Plan';

/** Which list stands below which heading. */
export const PLAN_LISTS = {
  'Files to create': 'files_to_create',
  'Files to modify': 'files_to_modify',
  Dependencies: 'dependencies',
  Commands: 'commands',
  Tests: 'tests',
  Order: 'order',
  Risks: 'risks',
} as const satisfies Readonly<Record<string, keyof Plan>>;

function sectionsOf(plan: Plan): ReadonlyArray<readonly [keyof typeof PLAN_LISTS, ReadonlyArray<string>]> {
  return [
    ['Files to create', plan.files_to_create.map(({ path, purpose }) => pathLine(path, purpose))],
    ['Files to modify', plan.files_to_modify.map(({ path, changes }) => pathLine(path, changes))],
    ['Dependencies', plan.dependencies.map((one) => textLine('-', one))],
    ['Commands', plan.commands.map(commandLine)],
    ['Tests', plan.tests.map(({ path, coverage }) => pathLine(path, coverage))],
    ['Order', plan.order.map((one, at) => textLine(`${at + 1}.`, one))],
    ['Risks', plan.risks.map((one) => textLine('-', one))],
  ];
}

function pathLine(path: string, told: string): string {
  return told === '' ? `- ${codeSpan(path)}` : textLine('-', `${codeSpan(path)}: ${told}`);
}

/** A command of several lines is no code span. */
function commandLine(command: string): string {
  return textLine('-', command.includes('\n') ? command : codeSpan(command));
}

function textLine(mark: string, told: string): string {
  return `${mark} ${told.replaceAll('\n', '\n  ')}`;
}

/** As in Markdown: more backticks than stand in a row inside, and a space where one is at an end. */
function codeSpan(inside: string): string {
  const ticks = '`'.repeat(1 + Math.max(0, ...[...inside.matchAll(/`+/g)].map(([run]) => run.length)));
  const space = inside.startsWith('`') || inside.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${inside}${space}${ticks}`;
}
