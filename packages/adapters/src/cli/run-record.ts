import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fateOf, identityOf, type ProcessIdentity } from '@attractor/system';
import type { AgentMessage, AgentRunResult } from '../agent.ts';

/** One start of the command. Without a `result` it was cut off: by a crash, or because this process had to give up the run. */
export type ProcessStart = {
  readonly input: string;
  readonly number: number;
  readonly process: ProcessIdentity | null;
  readonly result: AgentRunResult | null;
};

/** What a command's run leaves in its folder: each start, each message before it is reported, and how it ended. */
export type RunRecord = {
  readonly starts: () => ReadonlyArray<ProcessStart>;
  readonly messages: () => ReadonlyArray<AgentMessage>;
  readonly begin: (input: string) => number;
  readonly started: (number: number, pid: number) => void;
  readonly add: (message: AgentMessage) => void;
  readonly end: (number: number, result: AgentRunResult) => void;
  /** The command's first request; later calls don't change it. */
  readonly keepPrompt: (prompt: string) => void;
  readonly firstPrompt: () => string;
  /** The whole output, up to a bound, for people who need more than was reported. */
  readonly outputFile: (number: number) => string;
};

type Line =
  | { readonly begin: number; readonly input: string }
  | { readonly started: number; readonly process: ProcessIdentity }
  | { readonly end: number; readonly result: AgentRunResult };

export function openRunRecord(statePath: string): RunRecord {
  mkdirSync(statePath, { recursive: true, mode: 0o700 });
  const [file, messageFile] = [join(statePath, 'cli.jsonl'), join(statePath, 'messages.jsonl')];
  const append = (line: Line): void => appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
  const promptFile = join(statePath, 'prompt.md');
  mendEnd(messageFile);
  mendEnd(file);
  return {
    starts: () => readStarts(readLines(file, lineOf)),
    messages: () => readLines(messageFile, messageOf),
    begin: (input) => {
      const number = readLines(file, lineOf).filter((line) => 'begin' in line).length + 1;
      append({ begin: number, input });
      return number;
    },
    started: (number, pid) => append({ started: number, process: identityOf(pid) }),
    add: (message) => appendFileSync(messageFile, `${JSON.stringify(message)}\n`, { mode: 0o600 }),
    end: (number, result) => append({ end: number, result }),
    keepPrompt: (prompt) => {
      if (!existsSync(promptFile)) replaceWhole(promptFile, prompt);
    },
    firstPrompt: () => textOf(promptFile),
    outputFile: (number) => join(statePath, `output-${number}.log`),
  };
}

/** Whether the process of a cut-off start is still there. */
export function isRunning({ process }: ProcessStart): boolean {
  return process !== null && process.started !== null && fateOf(process) === 'alive';
}

function readStarts(lines: ReadonlyArray<Line>): ReadonlyArray<ProcessStart> {
  const starts = new Map<number, ProcessStart>();
  for (const line of lines) {
    if ('begin' in line) starts.set(line.begin, { number: line.begin, input: line.input, process: null, result: null });
    else {
      const number = 'started' in line ? line.started : line.end;
      const known = starts.get(number);
      const news = 'started' in line ? { process: line.process } : { result: line.result };
      if (known !== undefined) starts.set(number, { ...known, ...news });
    }
  }
  return [...starts.values()];
}

function lineOf(text: string): Line {
  const line: Line = JSON.parse(text);
  return line;
}

function messageOf(text: string): AgentMessage {
  const message: AgentMessage = JSON.parse(text);
  return message;
}

/** A line that a crash cut off is ignored. */
function readLines<Value>(file: string, read: (text: string) => Value): ReadonlyArray<Value> {
  return textOf(file)
    .split('\n')
    .flatMap((line) => {
      try {
        return [read(line)];
      } catch {
        return [];
      }
    });
}

/** The next append must not become part of a cut line. */
function mendEnd(file: string): void {
  const text = textOf(file);
  if (text === '' || text.endsWith('\n')) return;
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  replaceWhole(file, whole);
}

function replaceWhole(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
