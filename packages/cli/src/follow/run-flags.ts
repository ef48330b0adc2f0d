import { CommandFailure, EXIT } from '@attractor/console';
import type { ModelFlags } from '../model-flags.ts';
import type { SandboxFlag } from '../sandbox-flag.ts';

/** The flags of `attractor run`, by the names that commander gives them: `--no-plan` is `plan: false`. */
export type RunFlags = ModelFlags &
  SandboxFlag & {
    readonly yes?: boolean;
    readonly check: ReadonlyArray<string>;
    readonly addDir: ReadonlyArray<string>;
    readonly description?: string;
    readonly planOnly?: boolean;
    readonly plan: boolean;
    readonly tdd?: boolean;
    readonly stages?: boolean;
    readonly detach?: boolean;
    readonly here?: boolean;
    readonly resume?: string;
    readonly json?: boolean;
  };

/** Which pipeline the task takes. */
export function pipelineFor({ tdd, stages, detach, yes }: RunFlags): string {
  if (tdd === true) return 'coding-tdd';
  if (stages === true) return 'coding-stages';
  // Nobody is here to say yes later.
  return detach === true && yes === true ? 'coding-auto' : 'coding';
}

/** Refuses flags that contradict each other, with what to do. `attended`: a person is at this terminal. */
export function judgeRunFlags(task: string | undefined, flags: RunFlags, attended: boolean): void {
  const given = { ...namesOf(flags), task: task !== undefined };
  const found = RULES.find(({ together }) => together.every((name) => given[name]));
  if (found !== undefined) throw new CommandFailure(found.say, EXIT.usage);
  if (task === undefined && flags.resume === undefined)
    throw new CommandFailure('say what should be done: attractor run "…", or --resume KEY', EXIT.usage);
  if (flags.here === true && flags.yes !== true && !attended)
    throw new CommandFailure(
      '--here asks before it touches your checkout, but there is no terminal to ask at: add --yes',
      EXIT.usage,
    );
}

type Name = 'yes' | 'planOnly' | 'noPlan' | 'tdd' | 'stages' | 'detach' | 'here' | 'resume' | 'task' | 'ofTask';

function namesOf(flags: RunFlags): Readonly<Record<Exclude<Name, 'task'>, boolean>> {
  return {
    yes: flags.yes === true,
    planOnly: flags.planOnly === true,
    noPlan: !flags.plan,
    tdd: flags.tdd === true,
    stages: flags.stages === true,
    detach: flags.detach === true,
    here: flags.here === true,
    resume: flags.resume !== undefined,
    ofTask: flags.description !== undefined || flags.check.length > 0 || flags.addDir.length > 0,
  };
}

type Rule = { readonly together: ReadonlyArray<Name>; readonly say: string };

const OF_A_NEW_TASK = 'belongs to a new task: leave it out to continue a task, or leave out --resume';

const RULES: ReadonlyArray<Rule> = [
  { together: ['task', 'resume'], say: 'give a task, or --resume KEY to continue one, not both' },
  ...(['noPlan', 'tdd', 'stages', 'planOnly'] as const).map((name) => ({
    together: ['resume', name] as const,
    say: `${flagOf(name)} ${OF_A_NEW_TASK}`,
  })),
  { together: ['resume', 'ofTask'], say: `--description, --check or --add-dir ${OF_A_NEW_TASK}` },
  {
    together: ['resume', 'detach'],
    say: '--resume works on it here; `attractor serve` works on it without a terminal',
  },
  { together: ['planOnly', 'noPlan'], say: '--plan-only and --no-plan contradict each other: leave one out' },
  {
    together: ['planOnly', 'yes'],
    say: '--plan-only ends before the plan is approved: leave out --yes, or --plan-only',
  },
  { together: ['planOnly', 'here'], say: '--plan-only changes nothing that --here could bring over: leave one out' },
  { together: ['planOnly', 'detach'], say: 'with --detach the plan waits for you anyway: leave out --plan-only' },
  { together: ['tdd', 'stages'], say: '--tdd and --stages are two ways of working: leave one out' },
  { together: ['noPlan', 'tdd'], say: 'with --tdd the plan comes first: leave out --no-plan' },
  { together: ['noPlan', 'stages'], say: 'with --stages the plan comes first: leave out --no-plan' },
  { together: ['detach', 'here'], say: '--detach returns at once, but --here waits for the end: leave one out' },
  {
    together: ['detach', 'yes', 'tdd'],
    say: '--tdd asks you between its parts, and --detach leaves nobody to ask: leave out --yes',
  },
  {
    together: ['detach', 'yes', 'stages'],
    say: '--stages asks you between its parts, and --detach leaves nobody to ask: leave out --yes',
  },
];

function flagOf(name: 'noPlan' | 'tdd' | 'stages' | 'planOnly'): string {
  return { noPlan: '--no-plan', tdd: '--tdd', stages: '--stages', planOnly: '--plan-only' }[name];
}
