import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fateOf, identityOf, type ProcessIdentity } from '@attractor/system';
import type { AgentMessage, AgentRunResult } from '../agent.ts';
import type { Report } from '../run-tools/report-outcome.ts';

/** One start of the command. Without a `result` it was cut off: by a crash, or because this process had to give up the run. */
export type ProcessStart = {
  readonly input: string;
  readonly number: number;
  readonly process: ProcessIdentity | null;
  readonly result: AgentRunResult | null;
  /** The outcome that it reported. */
  readonly report: Report | null;
};

/** What a command's run leaves in its folder: each start, each message before it is reported, and how it ended. */
export type RunRecord = {
  readonly starts: () => ReadonlyArray<ProcessStart>;
  readonly messages: () => ReadonlyArray<AgentMessage>;
  readonly begin: (input: string) => Promise<number>;
  readonly started: (number: number, pid: number) => void;
  readonly add: (message: AgentMessage) => void;
  readonly end: (number: number, result: AgentRunResult) => Promise<void>;
  readonly report: (number: number, report: Report) => void;
  /** The program's own name for its conversation, by which a later start continues it. */
  readonly keepSession: (number: number, session: string) => void;
  readonly session: () => string | null;
  /** The messages of people that its conversation has, by key. */
  readonly take: (number: number, key: string) => void;
  readonly taken: () => ReadonlyArray<string>;
  /** The command's first request; later calls don't change it. */
  readonly keepPrompt: (prompt: string) => void;
  readonly firstPrompt: () => string;
  /** The whole output, up to a bound, for people who need more than was reported. */
  readonly outputFile: (number: number) => string;
};

type Line =
  | { readonly begin: number; readonly input: string }
  | { readonly started: number; readonly process: ProcessIdentity }
  | { readonly end: number; readonly result: AgentRunResult }
  | { readonly reported: number; readonly report: Report }
  | { readonly known: number; readonly session: string }
  | { readonly taken: number; readonly key: string };

export function openRunRecord(statePath: string): RunRecord {
  mkdirSync(statePath, { recursive: true, mode: 0o700 });
  const [file, messageFile] = [join(statePath, 'cli.jsonl'), join(statePath, 'messages.jsonl')];
  const write = (line: Line, flush: boolean): void =>
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600, flush });
  const append = (line: Line): void => write(line, true);
  const appendBeside = async (line: Line): Promise<void> => {
    write(line, false);
    await flushFile(file);
  };
  const promptFile = join(statePath, 'prompt.md');
  mendEnd(messageFile);
  mendEnd(file);
  return {
    starts: () => readStarts(readLines(file, lineOf)),
    messages: () => readLines(messageFile, messageOf),
    begin: async (input) => {
      const number = readLines(file, lineOf).filter((line) => 'begin' in line).length + 1;
      await appendBeside({ begin: number, input });
      return number;
    },
    // No process outlives the machine: what the disk has not got yet is then of no use.
    started: (number, pid) => write({ started: number, process: identityOf(pid) }, false),
    add: (message) => appendFileSync(messageFile, `${JSON.stringify(message)}\n`, { mode: 0o600 }),
    end: (number, result) => appendBeside({ end: number, result }),
    report: (number, report) => append({ reported: number, report }),
    keepSession: (number, session) => append({ known: number, session }),
    session: () => readLines(file, lineOf).findLast((line) => 'known' in line)?.session ?? null,
    take: (number, key) => append({ taken: number, key }),
    taken: () => readLines(file, lineOf).flatMap((line) => ('taken' in line ? [line.key] : [])),
    keepPrompt: (prompt) => {
      if (!existsSync(promptFile)) replaceWhole(promptFile, prompt);
    },
    firstPrompt: () => textOf(promptFile),
    outputFile: (number) => join(statePath, `output-${number}.log`),
  };
}

/** The process does other work until the disk has answered. */
async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Whether the process of a cut-off start is still there. */
export function isRunning({ process }: ProcessStart): boolean {
  return process !== null && process.started !== null && fateOf(process) === 'alive';
}

function readStarts(lines: ReadonlyArray<Line>): ReadonlyArray<ProcessStart> {
  const starts = new Map<number, ProcessStart>();
  for (const line of lines) {
    if ('begin' in line) starts.set(line.begin, { ...NEW, number: line.begin, input: line.input });
    else if (!('known' in line || 'taken' in line)) {
      const { number, ...news } = newsOf(line);
      const known = starts.get(number);
      if (known !== undefined) starts.set(number, { ...known, ...news });
    }
  }
  return [...starts.values()];
}

const NEW = { process: null, result: null, report: null };

function newsOf(line: Exclude<Line, { begin: number } | { known: number } | { taken: number }>) {
  if ('started' in line) return { number: line.started, process: line.process };
  return 'end' in line ? { number: line.end, result: line.result } : { number: line.reported, report: line.report };
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
