import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { main } from '../main.ts';

export type Ran = { readonly exit: number; readonly stdout: string; readonly stderr: string };

export type RunOptions = {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Called with all of stdout so far, each time more arrives. */
  readonly seen?: (stdout: string) => void;
};

/** One command line in this process, as a script would see it: exit code, stdout and stderr; stdin is no terminal. */
export async function runCommand(argv: ReadonlyArray<string>, options: RunOptions = {}): Promise<Ran> {
  const out = { stdout: '', stderr: '' };
  const told = () => options.seen?.(out.stdout);
  const undo = [
    capture('stdout', out, told),
    capture('stderr', out, told),
    replaceStdin(options.stdin ?? ''),
    visit(options.cwd),
  ];
  const before = Object.keys(options.env ?? {}).map((name) => [name, process.env[name]] as const);
  for (const [name, value] of Object.entries(options.env ?? {})) vi.stubEnv(name, value);
  try {
    return { exit: await main(argv), ...out };
  } finally {
    for (const step of undo) step();
    for (const [name, value] of before) vi.stubEnv(name, value);
  }
}

function capture(name: 'stdout' | 'stderr', out: { stdout: string; stderr: string }, told: () => void): () => void {
  const spy = vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
    out[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    told();
    return true;
  });
  return () => spy.mockRestore();
}

function replaceStdin(text: string): () => void {
  const before = Object.getOwnPropertyDescriptor(process, 'stdin');
  Object.defineProperty(process, 'stdin', { value: Readable.from(text === '' ? [] : [text]), configurable: true });
  return () => {
    if (before !== undefined) Object.defineProperty(process, 'stdin', before);
  };
}

function visit(folder: string | undefined): () => void {
  const before = process.cwd();
  if (folder !== undefined) process.chdir(folder);
  return () => process.chdir(before);
}

/** Variables of every command of a test file. */
export function setCommonEnvironment(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}
