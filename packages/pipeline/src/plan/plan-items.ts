import type { Plan } from '@attractor/store';

/** A thing that a plan names, and that shows in the work. */
export type PlanEntry = {
  readonly kind: 'create' | 'modify' | 'test' | 'dependency' | 'command';
  /** The path, the command, or the dependency as written. */
  readonly name: string;
  readonly note: string;
};

/** An entry of the list of what is to be done. `covers`: what shows that it is; empty if that is for the agent to name. */
export type PlanItem = { readonly number: number; readonly text: string; readonly covers: ReadonlyArray<PlanEntry> };

/** The plan as a list of what is to be done: its steps in their order, then whatever no step mentions. */
export function planItems(plan: Plan): ReadonlyArray<PlanItem> {
  const entries = planEntries(plan);
  const steps = plan.order.map((step) => ({ text: step, covers: entries.filter((entry) => mentions(step, entry)) }));
  const mentioned = new Set(steps.flatMap(({ covers }) => covers));
  const left = entries.filter((entry) => !mentioned.has(entry));
  return [...steps, ...left.map((entry) => ({ text: wordsOf(entry), covers: [entry] }))].map(
    ({ text, covers }, at) => ({
      number: at + 1,
      text: text.replaceAll('\n', ' '),
      covers,
    }),
  );
}

/** In the order in which they are done where the plan gives none. */
export function planEntries(plan: Plan): ReadonlyArray<PlanEntry> {
  return [
    ...plan.dependencies.map((name): PlanEntry => ({ kind: 'dependency', name, note: '' })),
    ...plan.files_to_create.map(({ path, purpose }): PlanEntry => ({ kind: 'create', name: path, note: purpose })),
    ...plan.files_to_modify.map(({ path, changes }): PlanEntry => ({ kind: 'modify', name: path, note: changes })),
    ...plan.tests.map(({ path, coverage }): PlanEntry => ({ kind: 'test', name: path, note: coverage })),
    ...plan.commands.map((name): PlanEntry => ({ kind: 'command', name, note: '' })),
  ];
}

/** `pyjwt` of `pyjwt==2.8.0`, `@scope/name` of `@scope/name@^1.0.0`. */
export function dependencyName(written: string): string {
  return /^@?[^\s@=<>~^![(;,]+/.exec(written.trim())?.[0] ?? written;
}

function mentions(step: string, { kind, name }: PlanEntry): boolean {
  const text = step.toLowerCase();
  return text.includes((kind === 'dependency' ? dependencyName(name) : name).toLowerCase());
}

const VERBS: Readonly<Record<PlanEntry['kind'], string>> = {
  create: 'Create',
  modify: 'Change',
  test: 'Test in',
  dependency: 'Add',
  command: 'Run',
};

function wordsOf({ kind, name, note }: PlanEntry): string {
  return `${VERBS[kind]} ${name}${note === '' ? '' : `: ${note}`}`;
}
