import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '@attractor/base';
import { RUN_DEFAULTS } from '@attractor/facts';
import { afterAll } from 'vitest';
import type { Agent } from './agent.ts';
import { availabilityOf, type ProgramFacts } from './program/availability.ts';
import type { Dialogue, Pipe } from './program/dialogue.ts';
import type { ForeignAgentOptions } from './program/foreign-definition.ts';
import { openHearing } from './program/hearing.ts';
import { createCallJudge } from './program/judge-calls.ts';
import { passedOn } from './program/passed-on.ts';
import { type ProgramCall, programCalls, type ProgramKind } from './program/run-program.ts';
import { parseLine, readLines } from '@attractor/rpc';
import { createRunTools } from './run-tools/run-tools.ts';
import { describeAgent } from './testing/index.ts';
import { NOTHING, type Meaning, unknownKind } from './translate/meaning.ts';

/* What docs/write-an-adapter.md describes, in one file: a program with a wire of its own, and its adapter. */

/** `{say}`, `{want: TOOL, args, id}` → `{may}`, `{did: id}`, `{used: tokens}`, `{report}`, `{end}`. */
const PROGRAM = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => JSON.parse((await lines.next()).value);
const behaviour = process.argv[2];
const { prompt } = await next();
if (behaviour === 'hangs') { say({ say: 'I hang.' }); setInterval(() => undefined, 1000); await new Promise(() => undefined); }
if (behaviour === 'fails') { say({ end: 'I could not.' }); process.exit(0); }
say({ say: 'I was asked: ' + prompt });
const want = async (tool, args, id) => { say({ want: tool, args, id }); const { may } = await next(); return may; };
const file = process.cwd() + '/greeting.txt';
if (await want('Write', { file_path: file, content: '' }, 'a'))
  writeFileSync(file, readFileSync(file, 'utf8').replace('hello', 'good-bye'));
say({ did: 'a' });
await want('Bash', { command: 'npm publish' }, 'b');
say({ used: 100 });
say({ report: 'pr_ready' });
say({ say: 'Done.' });
say({ end: null });
`;

/** 1. Translate: a pure function from a line of the program to our messages. */
function translate(line: Readonly<Record<string, unknown>>): Meaning {
  const { say, want, args, id, did, used, end } = line;
  if (typeof say === 'string')
    return { messages: [{ kind: 'text', text: say }], deltas: [{ kind: 'text_delta', text: say }] };
  if (typeof want === 'string')
    return {
      messages: [{ kind: 'tool_call', toolCallId: String(id), toolName: want, input: isRecord(args) ? args : {} }],
    };
  if (typeof did === 'string')
    return { messages: [{ kind: 'tool_result', toolCallId: did, toolName: 'Write', output: '', isError: false }] };
  if (typeof used === 'number') {
    const usage = { inputTokens: used, outputTokens: 0, totalTokens: used };
    return { messages: [{ kind: 'usage', model: 'mine', usage, costUsd: null }] };
  }
  if (end === null) return { messages: [], over: { failure: null } };
  if (typeof end === 'string')
    return { messages: [], over: { failure: { code: 'failed', message: end, retryable: false } } };
  return 'report' in line ? NOTHING : unknownKind('Mine', Object.keys(line).join(), line);
}

/** 2. Talk: what is written and heard. */
function talk(call: ProgramCall): Dialogue {
  let pipe: Pipe | null = null;
  const hearing = openHearing(call, () => pipe?.hangUp());
  const judge = createCallJudge(call.options);
  const tools = createRunTools(call.options, call);
  const send = (line: object): void => pipe?.write(`${JSON.stringify(line)}\n`);
  const lines = readLines((text) => {
    const line = parseLine(text);
    if (!isRecord(line)) return hearing.garbage(text);
    if (typeof line['want'] === 'string') {
      const wanted = {
        toolCallId: String(line['id']),
        toolName: line['want'],
        args: isRecord(line['args']) ? line['args'] : {},
      };
      void judge.decide(wanted).then(({ allowed }) => send({ may: allowed }));
    }
    if (typeof line['report'] === 'string') void tools.call('report_outcome', { outcome: line['report'] });
    hearing.heard(translate(line));
  });
  return {
    begin: (opened) => {
      pipe = opened;
      send({ prompt: call.prompt });
    },
    push: lines.push,
    end: lines.end,
    ending: () => ({
      finalText: hearing.finalText(),
      usage: hearing.usage(),
      isOver: hearing.isOver(),
      failure: hearing.failure(),
      report: tools.report(),
    }),
  };
}

const FACTS: ProgramFacts = { name: 'Mine', install: 'npm install -g mine', keys: [], loginFiles: [], logIn: '' };

/** 3. Describe: a kind of program for the frame that starts, records, stops and continues it. */
function createMineAgent({ type, definition, env }: ForeignAgentOptions): Agent {
  const argv = definition.command ?? ['mine'];
  const kind: ProgramKind = {
    name: FACTS.name,
    remembers: false,
    secrets: passedOn(definition.env, env),
    prepare: async (call) => ({ argv, dialogue: talk(call) }),
  };
  const { run, say } = programCalls(kind);
  return {
    type,
    displayName: kind.name,
    isAvailable: () => availabilityOf({ file: argv[0], facts: FACTS, definition, type, kind: 'mine', env }),
    getDefaultConfig: () => RUN_DEFAULTS,
    run,
    say,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'mine-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = join(folder, 'mine.mjs');
writeFileSync(program, PROGRAM);

const make = (behaviour: string) => async (): Promise<Agent> =>
  createMineAgent({
    type: 'mine',
    definition: { command: [process.execPath, program, behaviour], env: [], useMyLogin: false },
    env: { PATH: process.env['PATH'] },
  });

describeAgent('an adapter in one file', { works: make('works'), fails: make('fails'), hangs: make('hangs') });
