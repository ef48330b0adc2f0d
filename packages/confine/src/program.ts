import { type ChildProcess, spawn } from 'node:child_process';
import { defined } from '@attractor/base';
import { atExit } from './sandbox/at-exit.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { SandboxedCommand } from './sandbox/sandbox-policy.ts';
import { programOnPath } from './sandbox/temporary-folders.ts';
import {
  askToEnd,
  askToEndBy,
  COMMAND_MARK,
  endSurvivors,
  markOf,
  signalGroup,
  type Variables,
} from '@attractor/system';

export type ProgramLaunch = {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** All variables that it sees, `own` last; of `inherited`, which is our own environment, it sees nothing but the mark. */
  readonly env: Variables;
  readonly own?: Variables | undefined;
  readonly inherited: Variables;
  readonly sandbox?: Pick<Sandbox, 'wrap'> | undefined;
  /** Only inside a sandbox: it may change nothing. */
  readonly readOnly?: true;
  /** Inside a sandbox only: what of the machine's temporary folders it sees. Absent: nothing. See `programFiles`. */
  readonly readable?: ReadonlyArray<string>;
  readonly given?: SandboxedCommand['given'];
  /** Every process that it starts carries this, and is found by it. No `@` and no comma. */
  readonly mark: string;
};

/** How long a program has to end by itself, and then after SIGTERM. */
export type ProgramPatience = { readonly askAfterMs: number; readonly killAfterMs: number };

/**
 * A program as a child: the leader of its own process group, with the given environment and no shell, inside the sandbox if there is one.
 * `end` ends it and everything it started, first with SIGTERM, then with SIGKILL; so does the end of this process.
 */
export type Program = { readonly child: ChildProcess; readonly end: (patience: ProgramPatience) => Promise<void> };

/** Starts a long-running program, such as a server. Throws if it can't be put into its sandbox. */
export function startProgram(launch: ProgramLaunch): Program {
  const { argv, cwd, env, inherited, mark, readOnly, readable, given } = launch;
  const [command, ...args] = argv;
  const onPath = programOnPath(command, launch.own?.['PATH'] ?? env['PATH'] ?? '');
  const seen = onPath.length === 0 ? readable : [...(readable ?? []), ...onPath];
  const inside = launch.sandbox?.wrap({ argv, cwd, ...defined({ readOnly, readable: seen, given }) });
  const child = spawn(inside?.file ?? command, inside?.args ?? args, {
    cwd,
    env: { ...env, ...inside?.env, ...launch.own, [COMMAND_MARK]: markOf(mark, inherited[COMMAND_MARK]) },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  if (inside !== undefined) askToEndBy(child, () => inside.terminate(child.pid ?? 0));
  const calm = inside?.onStubborn(() => signalGroup(child.pid, 'SIGKILL'));
  // Nothing is left to end it properly.
  const hasEnded = atExit(() => signalGroup(child.pid, 'SIGKILL'));
  return {
    child,
    end: async (patience) => {
      await endChild(child, patience);
      await endSurvivors(mark);
      hasEnded();
      calm?.();
      inside?.release();
    },
  };
}

async function endChild(child: ChildProcess, { askAfterMs, killAfterMs }: ProgramPatience): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  child.stdin?.end();
  const timers = [
    setTimeout(() => askToEnd(child), askAfterMs),
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), askAfterMs + killAfterMs),
  ];
  await gone;
  for (const timer of timers) clearTimeout(timer);
  signalGroup(child.pid, 'SIGKILL');
}

/** Ends every process that carries the mark, whoever started it: what a killed process left behind. */
export async function endProgramsOf(mark: string): Promise<number> {
  return (await endSurvivors(mark)).length;
}
