import type { AgentRunStatus, PipelineStatus, StatusCategory, StepState, TaskState } from '@attractor/api';
import {
  Ban,
  Circle,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleX,
  Eye,
  Hand,
  TimerOff,
  type LucideIcon,
} from 'lucide-react';
import { TONE_TEXT, TONE_WELL, type Tone } from './tone.ts';

/** The one vocabulary of states, for tasks, runs, steps and checks alike. */
export type Status = { readonly label: string; readonly tone: Tone; readonly icon: LucideIcon };

const TASK_STATUS: Readonly<Record<StatusCategory, Status>> = {
  backlog: { label: 'Open', tone: 'idle', icon: Circle },
  active: { label: 'Working', tone: 'work', icon: CircleDot },
  waiting: { label: 'Waiting for you', tone: 'wait', icon: Hand },
  review: { label: 'In review', tone: 'look', icon: Eye },
  blocked: { label: 'Blocked', tone: 'bad', icon: CircleAlert },
  done: { label: 'Done', tone: 'good', icon: CircleCheck },
};

/** How a status of a pipeline is shown. A pipeline marks an unsuccessful end gray. */
export function taskStatus(status: PipelineStatus): Status {
  const known = TASK_STATUS[status.category];
  const given = status.category === 'done' && status.color === 'gray';
  return given ? { ...known, tone: 'idle', icon: Ban } : known;
}

const STATE_LOOKS: Readonly<Record<TaskState['kind'], Pick<Status, 'tone' | 'icon'>>> = {
  open: { tone: 'idle', icon: Circle },
  queued: { tone: 'idle', icon: CircleDashed },
  working: { tone: 'work', icon: CircleDot },
  waiting: { tone: 'wait', icon: Hand },
  subtasks: { tone: 'idle', icon: CircleDashed },
  paused: { tone: 'wait', icon: TimerOff },
  by_hand: { tone: 'look', icon: Hand },
  stopped: { tone: 'wait', icon: Ban },
  failed: { tone: 'bad', icon: CircleAlert },
  accepted: { tone: 'look', icon: Eye },
  merged: { tone: 'good', icon: CircleCheck },
  closed: { tone: 'idle', icon: Ban },
};

/** How the state of a task is shown; its words come from the server. */
export function stateStatus({ kind, label }: TaskState): Status {
  return { label, ...STATE_LOOKS[kind] };
}

const RUN_STATUS: Readonly<Record<AgentRunStatus, Status>> = {
  running: { label: 'Running', tone: 'work', icon: CircleDot },
  completed: { label: 'Completed', tone: 'good', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'bad', icon: CircleX },
  cancelled: { label: 'Stopped', tone: 'idle', icon: Ban },
  timeout: { label: 'Timed out', tone: 'bad', icon: TimerOff },
};

const QUEUED: Status = { label: 'Queued', tone: 'idle', icon: CircleDashed };

/** A run that no worker has begun is queued, however long ago it was started; one whose agent has asked waits. */
export function runStatus(status: AgentRunStatus, steps: ReadonlyArray<StepState>, { waits = false } = {}): Status {
  if (waits && status === 'running') return WAITING;
  return isQueued(status, steps) ? QUEUED : RUN_STATUS[status];
}

/** Something was asked. */
export const WAITING = TASK_STATUS.waiting;

export function isQueued(status: AgentRunStatus, steps: ReadonlyArray<StepState>): boolean {
  return status === 'running' && steps.every(({ state }) => state === 'pending');
}

export const STEP_STATUS: Readonly<Record<StepState['state'], Status>> = {
  pending: { label: 'Not begun', tone: 'idle', icon: CircleDashed },
  running: { label: 'Running', tone: 'work', icon: CircleDot },
  done: { label: 'Done', tone: 'good', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'bad', icon: CircleX },
  skipped: { label: 'Skipped', tone: 'idle', icon: Ban },
};

export const CHECK_STATUS = {
  passed: { label: 'Passed', tone: 'good', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'bad', icon: CircleX },
} as const satisfies Record<string, Status>;

export function StatusBadge({ status, label }: { readonly status: Status; readonly label?: string }) {
  return (
    <span
      className={`inline-flex max-w-full items-center gap-1.5 rounded-full px-2.5 py-0.5 text-sm font-medium ${TONE_WELL[status.tone]}`}
    >
      <StatusIcon status={status} />
      <span className="truncate" title={label}>
        {label ?? status.label}
      </span>
    </span>
  );
}

type StatusIconProps = {
  readonly status: Status;
  readonly size?: number;
  /** Where no word for it stands beside it: it is named by it. */
  readonly isAlone?: true;
};

export function StatusIcon({ status, size = 14, isAlone }: StatusIconProps) {
  const Icon = status.icon;
  const moving = status.tone === 'work' ? 'pulse' : '';
  const named = isAlone === true ? { role: 'img', 'aria-label': status.label } : { 'aria-hidden': true };
  return <Icon size={size} strokeWidth={2.2} {...named} className={`shrink-0 ${TONE_TEXT[status.tone]} ${moving}`} />;
}
