import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { defined } from '@attractor/base';
import { createSpool, type LeftChild, type Spool, SPOOL_PREFIX, type SpoolOptions } from '@attractor/system';
import {
  EnvironmentError,
  type CommandEnd,
  type ExecutionEnvironment,
  type RunningCommand,
} from '../../types/index.ts';

/**
 * The commands that a session left running. Each has an id (`bash_1` …) that is never reused; an ended command stays known with its output
 * until the session ends. Every command runs in an environment and ends with it at the latest.
 */
export type BackgroundShells = {
  readonly start: (env: ExecutionEnvironment, order: BackgroundOrder) => Promise<BackgroundShell>;
  /** Takes a command that was waited for; `push` takes what it says from now on. */
  readonly adopt: (order: BackgroundOrder, left: LeftShell) => Adopted;
  /** The output since the last read. Null: there is no such command. */
  readonly look: (id: string) => NewOutput | null;
  /** Ends it with all its processes. Null: there is no such command. */
  readonly kill: (id: string) => Promise<BackgroundShell | null>;
  readonly list: () => ReadonlyArray<BackgroundShell>;
  /** Ends all of them and discards their output, at the end of the session. */
  readonly end: () => Promise<void>;
};

export type BackgroundOrder = { readonly command: string; readonly workingDir?: string; readonly description?: string };

/** `stop` ends it. */
export type LeftShell = LeftChild & { readonly stop: () => void };

type Adopted = { readonly shell: BackgroundShell; readonly push: (chunk: Uint8Array) => void };

/** `end` is set once it has ended. */
export type BackgroundShell = {
  readonly id: string;
  readonly command: string;
  readonly description?: string;
  readonly pid: number;
  readonly status: 'running' | 'completed' | 'failed' | 'killed';
  readonly end?: CommandEnd;
};

/** `omittedBytes`: output since the last read that was discarded before anybody read it. */
export type NewOutput = { readonly shell: BackgroundShell; readonly text: string; readonly omittedBytes: number };

/** `folder` belongs to this session alone: outputs that a dead process left there are removed at the first start. */
export type BackgroundShellsOptions = SpoolOptions & {
  /** How many may run at once; absent: 16. */
  readonly maxRunning?: number;
};

const MAX_RUNNING = 16;
/** One read returns at most this much; the rest is left for the next one. */
const MAX_LOOK_BYTES = 256 << 10;

type Kept = {
  readonly id: string;
  readonly order: BackgroundOrder;
  readonly running: RunningCommand;
  readonly spool: Spool;
  readonly decoder: StringDecoder;
  seen: number;
  isKilled: boolean;
  end: CommandEnd | null;
};

/** Keeps the background commands of a session, until `end`. */
export function createBackgroundShells(options: BackgroundShellsOptions = {}): BackgroundShells {
  const all = new Map<string, Kept>();
  let count = 0;
  return {
    start: async (env, order) => {
      refuseTooMany([...all.values()], options.maxRunning ?? MAX_RUNNING);
      if (count === 0 && options.folder !== undefined) removeLeftovers(options.folder);
      const kept = await begin(env, { id: `bash_${++count}`, order, options });
      all.set(kept.id, kept);
      return described(kept);
    },
    adopt: (order, left) => {
      const kept = keep({ id: `bash_${++count}`, order, running: runningOf(left), spool: createSpool(options) });
      all.set(kept.id, kept);
      kept.spool.push(Buffer.from(left.said));
      return { shell: described(kept), push: kept.spool.push };
    },
    look: (id) => {
      const kept = all.get(id);
      return kept === undefined ? null : look(kept);
    },
    kill: async (id) => {
      const kept = all.get(id);
      if (kept === undefined) return null;
      await killOne(kept);
      return described(kept);
    },
    list: () => [...all.values()].map(described),
    end: async () => {
      await Promise.all([...all.values()].map(killOne));
      for (const { spool } of all.values()) spool.remove();
    },
  };
}

function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((one) => one.startsWith(SPOOL_PREFIX)))
    rmSync(path.join(folder, name), { recursive: true, force: true });
}

function refuseTooMany(all: ReadonlyArray<Kept>, most: number): void {
  const running = all.filter(({ end }) => end === null);
  if (running.length < most) return;
  throw new EnvironmentError({
    code: 'too_many',
    message: `${running.length} commands run in the background already, and no more may: end one of ${running.map(({ id }) => id).join(', ')}.`,
  });
}

type Beginning = { readonly id: string; readonly order: BackgroundOrder; readonly options: SpoolOptions };

async function begin(env: ExecutionEnvironment, { id, order, options }: Beginning): Promise<Kept> {
  if (env.startCommand === undefined)
    throw new EnvironmentError({
      code: 'unsupported',
      message: 'Nothing can run in the background here: run the command without run_in_background.',
    });
  const spool = createSpool(options);
  try {
    const running = await env.startCommand(order.command, {
      mayLeaveSandbox: true,
      ...defined({ workingDir: order.workingDir }),
      onOutput: (chunk) => spool.push(chunk),
    });
    return keep({ id, order, running, spool });
  } catch (error) {
    spool.remove();
    throw error;
  }
}

function keep(one: Pick<Kept, 'id' | 'order' | 'running' | 'spool'>): Kept {
  const kept: Kept = { ...one, decoder: new StringDecoder('utf8'), seen: 0, isKilled: false, end: null };
  void one.running.ended.then((end) => (kept.end = end));
  return kept;
}

function runningOf({ pid, ended: over, stop }: LeftShell): RunningCommand {
  const ended = over.then(({ exitCode, signal }): CommandEnd => ({ exitCode, ...(signal === null ? {} : { signal }) }));
  const kill = (): Promise<CommandEnd> => {
    stop();
    return ended;
  };
  return { pid, ended, kill, write: () => undefined };
}

async function killOne(kept: Kept): Promise<void> {
  if (kept.end !== null) return;
  kept.isKilled = true;
  kept.end = await kept.running.kill();
}

/** A character that is cut in two waits for its other half. */
function look(kept: Kept): NewOutput {
  const { bytes, from } = kept.spool.read(kept.seen, MAX_LOOK_BYTES);
  const omittedBytes = from - kept.seen;
  const before = omittedBytes > 0 ? kept.decoder.end() : '';
  kept.seen = from + bytes.length;
  const isAll = kept.end !== null && kept.seen === kept.spool.length();
  const text = before + kept.decoder.write(bytes) + (isAll ? kept.decoder.end() : '');
  return { shell: described(kept), text, omittedBytes };
}

function described({ id, order, running, isKilled, end }: Kept): BackgroundShell {
  const { command, description } = order;
  const status = end === null ? 'running' : isKilled ? 'killed' : end.exitCode === 0 ? 'completed' : 'failed';
  return {
    id,
    command,
    pid: running.pid,
    status,
    ...defined({ description }),
    ...(end === null ? {} : { end }),
  };
}
