import type { LiveDelta, PlatformEvent } from '@attractor/platform';

/** What the agent of a task is doing, in a line; empty while none works. */
export type TaskProgress = {
  readonly see: (event: PlatformEvent) => void;
  readonly hear: (delta: Pick<LiveDelta, 'delta'>) => void;
  readonly words: () => string;
};

type Work = { readonly mode: string; readonly since: number; step: string; done: number; spoken: string };

export function createTaskProgress(now: () => number = Date.now): TaskProgress {
  const calls = new Map<string, string>();
  let work: Work | null = null;
  return {
    see: (event) => {
      if (event.type === 'agent.started') {
        work = { mode: event.data.run.mode, since: Date.parse(event.at), step: 'queued', done: 0, spoken: '' };
        calls.clear();
      }
      if (ENDS.has(event.type)) work = null;
      if (work === null) return;
      if (event.type === 'run.step_started') work.step = event.data.step;
      if (event.type !== 'agent.message') return;
      const { message } = event.data;
      work.spoken = '';
      if (message.kind === 'tool_call') calls.set(message.toolCallId, nameOf(message));
      if (message.kind === 'tool_result' && calls.delete(message.toolCallId)) work.done += 1;
    },
    hear: ({ delta }) => {
      if (work !== null && typeof delta['text'] === 'string')
        work.spoken = `${work.spoken}${delta['text']}`.slice(-KEPT);
    },
    words: () => {
      if (work === null) return '';
      const { mode, since, done, spoken } = work;
      const seconds = Math.max(0, Math.round((now() - since) / 1_000));
      return `${seconds} s · ${mode} · ${done === 1 ? '1 call' : `${done} calls`} · ${currentOf(work, [...calls.values()])}${spoken === '' ? '' : `: ${lastLine(spoken)}`}`;
    },
  };
}

const ENDS: ReadonlySet<string> = new Set(['agent.completed', 'agent.failed', 'agent.cancelled']);
const KEPT = 400;

function currentOf({ step }: Work, calls: ReadonlyArray<string>): string {
  if (step !== 'execute') return step;
  return calls.at(-1) ?? 'thinking';
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}

/** The first text among the arguments says most: a command, a path, a pattern. */
function nameOf({ toolName, input }: { readonly toolName: string; readonly input: Readonly<Record<string, unknown>> }) {
  const first = Object.values(input).find((value) => typeof value === 'string');
  return first === undefined ? toolName : `${toolName} ${first}`;
}
