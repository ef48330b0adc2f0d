import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type JournalRecord, openSessions, readJournal } from '@attractor/journal';
import { parseScript, type Simulator, startSimulator } from '@attractor/simulator';
import { onTestFinished } from 'vitest';
import { attractorHere, type HereOptions } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, type Running, startAttractor } from './attractor.ts';

export const MODEL = 'claude-sonnet-4-5-20250929';

const DEVELOPER = `# Developer

You implement one task at a time.

## Parameters

- TASK_FILE: what to do

## Your workflow

1. Read the task, then do it.
`;

/** A home, a repository to work in, an agent, and a model that follows a script. */
export type ExecWorld = {
  readonly home: string;
  readonly workspace: string;
  readonly simulator: Simulator;
  /** In this process. */
  readonly run: (args?: ReadonlyArray<string>, options?: ExecOptions) => Promise<Ended>;
  /** As a program. */
  readonly start: (args?: ReadonlyArray<string>, options?: ExecOptions) => Running;
  readonly sessionId: () => string;
  readonly records: () => ReadonlyArray<JournalRecord>;
};

export type ExecOptions = {
  readonly stdin?: string;
  readonly spec?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags for the model other than the world's own. */
  readonly model?: ReadonlyArray<string>;
};

export async function makeExecWorld(script: unknown, files: Readonly<Record<string, string>> = {}): Promise<ExecWorld> {
  const parsed = parseScript(script);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const home = makeFolder();
  const workspace = makeRepository(files);
  mkdirSync(path.join(home, 'agents'));
  writeFileSync(path.join(home, 'agents/developer.md'), DEVELOPER);
  const own = ['--provider=anthropic', '--model', MODEL, '--base-url', simulator.baseUrls.anthropic];
  const line = (args: ReadonlyArray<string> = [], options: ExecOptions = {}): readonly [string[], HereOptions] => [
    ['exec', options.spec ?? 'agents/developer.md', workspace, ...args, ...(options.model ?? own), ...ANYWHERE],
    {
      home,
      env: { ANTHROPIC_API_KEY: 'none', ...options.env },
      ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    },
  ];
  const sessionId = (): string => readFileSync(path.join(workspace, '.session'), 'utf8').trim();
  return {
    home,
    workspace,
    simulator,
    start: (...how) => startAttractor(...line(...how)),
    run: (...how) => attractorHere(...line(...how)),
    sessionId,
    records: () => recordsOf(home, sessionId()),
  };
}

function makeRepository(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  execFileSync('git', ['init', '-q', folder]);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

export function recordsOf(home: string, sessionId: string): ReadonlyArray<JournalRecord> {
  const found = openSessions({ home: path.join(home, '.attractor') }).find(sessionId);
  if (!found.ok) throw new Error(found.error.message);
  return readJournal(path.join(found.value.folder, 'journal.jsonl')).records;
}

export function kinds(records: ReadonlyArray<JournalRecord>, kind: string): ReadonlyArray<JournalRecord['event']> {
  return records.map(({ event }) => event).filter((event) => event.kind === kind);
}

/** The body of the last request that the model got. */
export function lastBody(simulator: Simulator): string {
  return JSON.stringify(simulator.requests().at(-1)?.body);
}
