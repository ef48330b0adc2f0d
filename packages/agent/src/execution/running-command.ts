import { once } from 'node:events';
import type { CommandEnd, RunningCommand, StartOptions } from '../types/index.ts';
import {
  askToEnd,
  endSurvivors,
  endSurvivorsSoon,
  exitCodeOf,
  signalGroup,
  type SupervisedChild,
} from '@attractor/system';

/** The delay between SIGTERM and SIGKILL. */
const KILL_AFTER_MS = 2_000;
/** How long we wait, after the direct child exits, for a pipe that another process holds open. */
const DRAIN_MS = 500;

/** Follows a detached child (the leader of its own process group). Its surviving processes are found by `mark`. */
export async function followCommand(
  child: SupervisedChild,
  mark: string,
  { onOutput, onEnd }: Pick<StartOptions, 'onOutput'> & { readonly onEnd?: (end: CommandEnd) => Promise<void> },
): Promise<RunningCommand> {
  child.stdout?.on('data', (chunk: Buffer) => onOutput(chunk, 'stdout'));
  child.stderr?.on('data', (chunk: Buffer) => onOutput(chunk, 'stderr'));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
  const ended = endOf(child, mark).then(async (end) => {
    await onEnd?.(end);
    return end;
  });
  await once(child, 'spawn');
  const { pid = 0 } = child;
  return {
    pid,
    ended,
    write: (text) => {
      if (child.stdin?.writable === true) child.stdin.write(text);
    },
    kill: async () => {
      askToEnd(child);
      const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), KILL_AFTER_MS);
      const end = await ended;
      clearTimeout(timer);
      await endSurvivors(mark);
      return end;
    },
  };
}

/** Processes left in the command's group are killed with it; those that left the group are found by its mark. */
async function endOf(child: SupervisedChild, mark: string): Promise<CommandEnd> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd>();
  let timer: NodeJS.Timeout | undefined;
  const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
    clearTimeout(timer);
    signalGroup(child.pid, 'SIGKILL');
    endSurvivorsSoon(mark);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    resolve({ exitCode: exitCodeOf(code, signal), ...(signal === null ? {} : { signal }) });
  };
  child.once('error', () => finish(null, null));
  child.once('close', finish);
  child.once('exit', (code, signal) => {
    timer = setTimeout(() => finish(code, signal), DRAIN_MS);
  });
  return promise;
}
