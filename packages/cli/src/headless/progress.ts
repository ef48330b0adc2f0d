import type { DeliveredEvent } from '@attractor/journal';
import { type Outlet, startStatusLine } from '@attractor/console';

/** What the agent is doing and for how long, in one line that goes away with the answer. */
export type Progress = { readonly see: (event: DeliveredEvent) => void; readonly stop: () => void };

/** Null where nobody looks. */
export function startProgress(
  stream: Outlet & { readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): Progress | null {
  const started = performance.now();
  const calls = new Map<string, string>();
  let done = 0;
  const line = startStatusLine(stream, env, () => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    const now = [...calls.values()].at(-1) ?? 'waiting for the model';
    return `${seconds} s · ${done === 1 ? '1 call' : `${done} calls`} · ${now}`;
  });
  if (line === null) return null;
  return {
    see: (event) => {
      if (event.kind === 'TOOL_CALL_START') calls.set(event.toolCallId, nameOf(event));
      if (event.kind === 'TOOL_CALL_END' && calls.delete(event.toolCallId)) done += 1;
    },
    stop: line.stop,
  };
}

/** The first text among the arguments says most: a command, a path, a pattern. */
function nameOf({ toolName, args }: Extract<DeliveredEvent, { kind: 'TOOL_CALL_START' }>): string {
  const first = Object.values(args).find((value) => typeof value === 'string');
  return first === undefined ? toolName : `${toolName} ${first}`;
}
