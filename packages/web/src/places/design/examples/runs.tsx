import type { CheckResult, Spent, StepState, ToolPiece } from '@attractor/api';
import { ChecksLine } from '../../../run/checks-line.tsx';
import { Checks } from '../../../run/checks.tsx';
import { SpentTable } from '../../../run/spent.tsx';
import { StepBar } from '../../../run/step-bar.tsx';
import { Timeline } from '../../../run/timeline.tsx';
import { Output, ToolCall } from '../../../run/tool-call.tsx';
import { acted, HOSTILE, LONG, NO_ERROR, NO_WORDS, none, type Part, STILL } from './example.tsx';

const BEGUN = '2026-01-01T10:00:00.000Z';
const STATES = ['done', 'done', 'skipped', 'running', 'pending'] as const;
const NAMES = ['prepare', 'context', 'configure', 'execute', 'validate'] as const;
const step = (state: StepState['state'], at: number): StepState => ({
  step: NAMES[at] ?? 'cleanup',
  state,
  startedAt: state === 'pending' ? null : new Date().toISOString(),
  finishedAt: null,
  durationMs: state === 'done' ? 4200 * (at + 1) : null,
  attempts: state === 'running' ? 2 : 1,
});
const STEPS = STATES.map(step);
const ENDED = STATES.map((_, at) => step(at === 3 ? 'failed' : 'done', at));
const WAITING = STATES.map((_, at) => step('pending', at));

const call = (result: ToolPiece['result'], more: Partial<ToolPiece> = {}): ToolPiece => ({
  kind: 'tool',
  key: 'call',
  toolCallId: 'call',
  toolName: 'shell',
  input: { command: 'npm test' },
  startedAt: BEGUN,
  result,
  ...more,
});
const GOOD = { output: 'tests 12\npass 12', isError: false, at: '2026-01-01T10:00:04.000Z' };

const check = (phase: CheckResult['phase'], passed: boolean, more: Partial<CheckResult> = {}): CheckResult => ({
  name: 'test',
  command: 'npm test',
  phase,
  commit: '0123456789abcdef',
  passed,
  exitCode: passed ? 0 : 1,
  severity: 'error',
  durationMs: 3100,
  output: passed ? 'pass 12' : 'fail 1',
  ...more,
});

const SPENT: Spent = {
  inputTokens: 12_400,
  outputTokens: 830,
  cacheReadTokens: 90_000,
  cacheWriteTokens: 4000,
  costUsd: 0.43,
};

const OWN_WORDS = none('Its words are our own.');
const FOLDS = { disabled: none('It can always be unfolded.'), busy: none('What is in it is there already.') } as const;

/** What is shown of a run wherever one is shown. */
export const RUNS: ReadonlyArray<Part> = [
  {
    of: 'StepBar',
    from: 'run/step-bar.tsx',
    states: {
      ...STILL,
      ...NO_WORDS,
      default: <StepBar steps={ENDED.slice(0, 3)} />,
      busy: <StepBar steps={STEPS} />,
      error: <StepBar steps={ENDED} />,
      empty: <StepBar steps={WAITING} />,
    },
  },
  {
    of: 'Timeline',
    from: 'run/timeline.tsx',
    states: {
      ...STILL,
      default: <Timeline steps={ENDED.slice(0, 3)} />,
      busy: <Timeline steps={STEPS} />,
      error: <Timeline steps={ENDED} />,
      empty: <Timeline steps={WAITING} />,
      long: OWN_WORDS,
      hostile: OWN_WORDS,
    },
  },
  {
    of: 'SpentTable',
    from: 'run/spent.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <SpentTable spent={SPENT} />,
      empty: <SpentTable spent={{ ...SPENT, inputTokens: 0, outputTokens: 0, costUsd: null }} />,
      long: OWN_WORDS,
      hostile: OWN_WORDS,
    },
  },
  {
    of: 'ToolCall',
    from: 'run/tool-call.tsx',
    states: {
      ...acted(<ToolCall tool={call(GOOD)} liveOutput="" />),
      disabled: FOLDS.disabled,
      busy: <ToolCall tool={call(null, { startedAt: new Date().toISOString() })} liveOutput={'tests 12\npass 7'} />,
      error: <ToolCall tool={call({ ...GOOD, output: 'fail 1', isError: true })} liveOutput="" />,
      empty: <ToolCall tool={call({ ...GOOD, output: '' }, { input: {} })} liveOutput="" />,
      long: <ToolCall tool={call(null, { input: { command: LONG } })} liveOutput={`${LONG}\n`.repeat(8)} />,
      hostile: (
        <ToolCall tool={call(null, { toolName: HOSTILE, input: { [HOSTILE]: HOSTILE } })} liveOutput={HOSTILE} />
      ),
    },
  },
  {
    of: 'Output',
    from: 'run/tool-call.tsx',
    states: {
      ...STILL,
      default: <Output text="pass 12" failed={false} />,
      error: <Output text="fail 1" failed />,
      empty: <Output text="" failed={false} />,
      long: <Output text={`${LONG}\n`.repeat(30)} failed={false} />,
      hostile: <Output text={HOSTILE} failed={false} />,
    },
  },
  {
    of: 'Checks',
    from: 'run/checks.tsx',
    states: {
      ...acted(<Checks checks={[check('base', false), check('branch', true)]} />),
      ...FOLDS,
      error: <Checks checks={[check('base', true), check('branch', false, { severity: 'warning' })]} />,
      empty: <Checks checks={[]} />,
      long: <Checks checks={[check('branch', false, { name: LONG, command: LONG })]} />,
      hostile: <Checks checks={[check('branch', true, { name: HOSTILE, command: HOSTILE, output: HOSTILE })]} />,
    },
  },
  {
    of: 'ChecksLine',
    from: 'run/checks-line.tsx',
    states: {
      ...acted(<ChecksLine path="/design" checks={[check('branch', true)]} />),
      disabled: none('It always leads to the checks.'),
      busy: none('What is in it is there already.'),
      error: <ChecksLine path="/design" checks={[check('base', false), check('branch', false)]} />,
      empty: none('Without a check there is no line.'),
      long: <ChecksLine path="/design" checks={[check('branch', false, { name: LONG })]} />,
      hostile: <ChecksLine path="/design" checks={[check('branch', true, { name: HOSTILE })]} />,
    },
  },
];
