import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

export type Program = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a Node program of ours on the Node that runs the measurement. */
export function startProgram(file: string, args: ReadonlyArray<string>): Program {
  return spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Runs a program to its end and returns the JSON that it printed as its last line. */
export async function runProgram(file: string, args: ReadonlyArray<string>): Promise<unknown> {
  const program = startProgram(file, args);
  program.stdin.end();
  let output = '';
  program.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await ended(program);
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
}

export async function ended(program: Program): Promise<number | null> {
  return new Promise((resolve, reject) => {
    program.once('error', reject);
    program.once('close', resolve);
  });
}

/** A program that answers each line that it is given with a line of JSON, until its input ends. */
export type Answering = { readonly ask: (line: string) => Promise<unknown>; readonly stop: () => Promise<void> };

export function startAnswering(file: string, args: ReadonlyArray<string>): Answering {
  const program = startProgram(file, args);
  const over = ended(program);
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  return {
    ask: async (line) => {
      program.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`${file} ended with ${await over}`);
      return JSON.parse(value);
    },
    stop: async () => {
      program.stdin.end();
      const code = await over;
      if (code !== 0) throw new Error(`${file} ended with ${code}`);
    },
  };
}
