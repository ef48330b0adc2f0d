import type { DeliveredEvent } from '@attractor/journal';
import { readableText } from '../terminal/escape.ts';
import { clearStatus, type Outlet, putStatus } from '../terminal/put.ts';

/** What the agent is doing and for how long, in one line that goes away with the answer. */
export type Progress = { readonly see: (event: DeliveredEvent) => void; readonly stop: () => void };

const TICK_MS = 1_000;

/** Null where nobody looks: no terminal, or one that can't rewrite a line. */
export function startProgress(
  stream: Outlet & { readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): Progress | null {
  if (stream.isTTY !== true || env['TERM'] === 'dumb') return null;
  const started = performance.now();
  const calls = new Map<string, string>();
  let done = 0;
  const show = (): void => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    const now = [...calls.values()].at(-1) ?? 'waiting for the model';
    const words = `${seconds} s · ${done === 1 ? '1 call' : `${done} calls`} · ${now}`;
    putStatus(stream, readableText(words).slice(0, (stream.columns ?? 80) - 1));
  };
  const timer = setInterval(show, TICK_MS);
  timer.unref();
  return {
    see: (event) => {
      if (event.kind === 'TOOL_CALL_START') calls.set(event.toolCallId, nameOf(event));
      if (event.kind === 'TOOL_CALL_END' && calls.delete(event.toolCallId)) done += 1;
    },
    stop: () => {
      clearInterval(timer);
      clearStatus();
    },
  };
}

/** The first text among the arguments says most: a command, a path, a pattern. */
function nameOf({ toolName, args }: Extract<DeliveredEvent, { kind: 'TOOL_CALL_START' }>): string {
  const first = Object.values(args).find((value) => typeof value === 'string');
  return first === undefined ? toolName : `${toolName} ${first}`;
}
