import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { main } from '@attractor/cli';
import { COMMAND, type Ended, runAttractor, type StartOptions } from './attractor.ts';

export type HereOptions = Pick<StartOptions, 'home' | 'cwd' | 'env'> & { readonly stdin?: string };

type Running = { stdout: string; stderr: string; readonly stdin: Readable };

const running = new AsyncLocalStorage<Running>();

/**
 * The command from its sources, in this process, as a script sees it: for walks that are about what commands do together. What a process of
 * its own does is proved by walks that start one. Commands of one place run side by side; those of another place wait.
 */
export async function attractorHere(args: ReadonlyArray<string>, options: HereOptions): Promise<Ended> {
  const { home, cwd = home, env = {}, stdin = '' } = options;
  const leave = await enter({ cwd, env: { PATH: '/usr/bin:/bin', HOME: home, ...env } });
  const own: Running = { stdout: '', stderr: '', stdin: bytesOf(stdin) };
  try {
    const code = await running.run(own, () => main(args));
    return { code, signal: null, stdout: own.stdout, stderr: own.stderr };
  } finally {
    leave();
  }
}

/** Like a pipe that somebody wrote into and closed. */
function bytesOf(text: string): Readable {
  return Readable.from(text === '' ? [] : [Buffer.from(text)], { objectMode: false });
}

/** The first command with each of these words is started as a program, as a script would; all others are done in this process. */
export function mostlyHere(words: ReadonlyArray<string>): typeof attractorHere {
  const toStart = new Set(words);
  return (args, options) => {
    const word = args.find((one) => toStart.delete(one));
    return word === undefined ? attractorHere(args, options) : runAttractor(args, options);
  };
}

type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

const taken: { key: string; commands: number; undo: () => void; waiting: Array<() => void> } = {
  key: '',
  commands: 0,
  undo: () => undefined,
  waiting: [],
};

async function enter(place: Place): Promise<() => void> {
  const key = JSON.stringify(place);
  while (taken.commands > 0 && taken.key !== key) await new Promise<void>((resolve) => taken.waiting.push(resolve));
  if (taken.commands === 0) Object.assign(taken, { key, undo: goTo(place) });
  taken.commands += 1;
  return () => {
    taken.commands -= 1;
    if (taken.commands > 0) return;
    taken.undo();
    for (const goOn of taken.waiting.splice(0)) goOn();
  };
}

function goTo({ cwd, env }: Place): () => void {
  const folder = process.cwd();
  process.chdir(cwd);
  const undo = [
    replaceVariables(env),
    capture('stdout'),
    capture('stderr'),
    replaceStdin(),
    replaceProgram(),
    keepSignals(),
  ];
  return () => {
    for (const step of undo) step();
    process.chdir(folder);
  };
}

/** The variables of the runner and of Node are none of the command's business. */
const NOT_OURS = /^(?:VITEST|NODE)/;

function replaceVariables(env: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env };
  const set = (wanted: Readonly<Record<string, string | undefined>>): void => {
    for (const name of Object.keys(process.env))
      if (!(name in wanted) && !NOT_OURS.test(name)) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, wanted);
  };
  set(env);
  return () => set(before);
}

function capture(name: 'stdout' | 'stderr'): () => void {
  const stream = process[name];
  const write = stream.write.bind(stream);
  return replace(stream, 'write', {
    value: (chunk: string | Uint8Array): boolean => {
      const own = running.getStore();
      if (own === undefined) return write(chunk);
      own[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      return true;
    },
  });
}

function replaceStdin(): () => void {
  return replace(process, 'stdin', { get: () => running.getStore()?.stdin });
}

/** What the command starts itself again for is done by the built one. */
function replaceProgram(): () => void {
  return replace(process.argv, '1', { value: COMMAND, writable: true, enumerable: true });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A command that fails need not stop hearing signals: its process ends. */
function keepSignals(): () => void {
  const before = new Map(SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))]));
  return () => {
    for (const signal of SIGNALS)
      for (const heard of process.listeners(signal))
        if (before.get(signal)?.has(heard) !== true) process.off(signal, heard);
  };
}

function replace(owner: object, name: string, property: PropertyDescriptor): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  Object.defineProperty(owner, name, { ...property, configurable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(owner, name);
    else Object.defineProperty(owner, name, before);
  };
}
