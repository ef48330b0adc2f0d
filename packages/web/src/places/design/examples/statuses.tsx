import type { TaskState } from '@attractor/api';
import { keyed } from '../../../ui/keyed.ts';
import { showControls } from '@attractor/api/shown';
import { CHECK_STATUS, runStatus, type Status, stateStatus, StatusBadge } from '../../../ui/status.tsx';
import { StatusIcon, STEP_STATUS, WAITING } from '../../../ui/status.tsx';
import { HOSTILE, LONG, NO_ERROR, NO_WORDS, none, type Part, STILL } from './example.tsx';

const KINDS: ReadonlyArray<readonly [TaskState['kind'], string]> = [
  ['open', 'Open'],
  ['queued', 'Queued: 2 before it'],
  ['working', 'Working: Plan'],
  ['waiting', 'Waiting for you'],
  ['subtasks', 'Waits for 2 subtasks'],
  ['paused', 'Paused until 14:00'],
  ['by_hand', 'In your hands'],
  ['stopped', 'Stopped'],
  ['failed', 'Failed'],
  ['accepted', 'Accepted, not merged'],
  ['merged', 'Merged'],
  ['closed', 'Cancelled'],
];
const TASKS = KINDS.map(([kind, label]) =>
  stateStatus({ kind, label, detail: null, since: '', until: null, needsPerson: false, steps: [] }),
);
const BEGUN = {
  step: 'prepare',
  state: 'done',
  startedAt: null,
  finishedAt: null,
  durationMs: null,
  attempts: 1,
} as const;
const RUNS = [
  WAITING,
  runStatus('running', []),
  ...(['running', 'completed', 'failed', 'cancelled', 'timeout'] as const).map((status) => runStatus(status, [BEGUN])),
];
const ALL: ReadonlyArray<Status> = [...TASKS, ...RUNS, ...Object.values(STEP_STATUS), ...Object.values(CHECK_STATUS)];

const ALWAYS = none('Everything has a status.');

/** How tasks, runs, steps and checks stand. */
export const STATUSES: ReadonlyArray<Part> = [
  {
    of: 'StatusBadge',
    from: 'ui/status.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: (
        <div className="flex flex-wrap gap-2">
          {keyed(ALL).map(({ key, item }) => (
            <StatusBadge key={key} status={item} />
          ))}
        </div>
      ),
      empty: ALWAYS,
      long: <StatusBadge status={WAITING} label={LONG} />,
      hostile: <StatusBadge status={WAITING} label={showControls(HOSTILE)} />,
    },
  },
  {
    of: 'StatusIcon',
    from: 'ui/status.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      ...NO_WORDS,
      default: (
        <div className="flex flex-wrap gap-2">
          {keyed(TASKS).map(({ key, item }) => (
            <StatusIcon key={key} status={item} isAlone />
          ))}
        </div>
      ),
      empty: ALWAYS,
    },
  },
];
