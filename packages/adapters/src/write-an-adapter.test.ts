import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '@attractor/base';
import { RUN_DEFAULTS } from '@attractor/facts';
import { afterAll } from 'vitest';
import type { Agent, AgentFailure } from './agent.ts';
import { meaningOf } from './failure-words.ts';
import { availabilityOf, type ProgramFacts } from './program/availability.ts';
import type { Dialogue, Pipe } from './program/dialogue.ts';
import type { ForeignAgentOptions } from './program/foreign-definition.ts';
import { endingOf, openHearing, silenceFailure } from './program/hearing.ts';
import { createCallJudge } from './program/judge-calls.ts';
import { ownHome } from './program/own-home.ts';
import { passedOn } from './program/passed-on.ts';
import { DEAD_SESSION, type ProgramCall, programCalls, type ProgramKind } from './program/run-program.ts';
import { parseLine, readLines } from '@attractor/rpc';
import { createRunTools } from './run-tools/run-tools.ts';
import { describeForeignAgent } from './testing/index.ts';
import { NOTHING, type Meaning, unknownKind } from './translate/meaning.ts';

/* What docs/write-an-adapter.md describes, in one file: a program with a wire of its own, and its adapter. */

/** `{prompt, session}` → `{session}`, `{say}`, `{want: TOOL, args, id}` → `{may}`, `{did: id, refused}`, `{ask}` → `{answer}`, `{used}`, `{report}`, `{end}`. */
const PROGRAM = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const behaviour = process.argv[2];
const forever = () => { setInterval(() => undefined, 1000); return new Promise(() => undefined); };
if (behaviour === 'silent') await forever();
const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async () => JSON.parse((await lines.next()).value);
const leave = (end) => { say({ end }); process.stdout.end(() => process.exit(0)); return new Promise(() => undefined); };
const kept = process.env.HOME + '/mine-1';
const { prompt, session } = await next();
if (session !== null && !existsSync(kept)) await leave('forgotten');
writeFileSync(kept, prompt);
say({ session: 'mine-1' });
const ENDS = { fails: 'I could not.', limited: 'You have hit your usage limit, resets 3pm.', loggedOut: 'Not logged in.' };
if (behaviour in ENDS) await leave(ENDS[behaviour]);
if (behaviour === 'hangs') { say({ say: 'I hang.' }); await forever(); }
say({ say: 'I was asked: ' + prompt });
if (behaviour === 'crashes') process.stdout.write('', () => process.exit(9)), await forever();
if (behaviour === 'floods') for (let index = 0; index < 1200; index += 1) say({ say: 'x'.repeat(10000) });
if (behaviour === 'drifts') { process.stdout.write('not JSON at all\\n[]\\n42\\n'); say({ from_the_future: 1 }); }
if (behaviour === 'environment') say({ say: Object.keys(process.env).join(' ') });
let calls = 0;
const want = async (tool, args) => {
  const id = 'call-' + (calls += 1);
  say({ want: tool, args, id });
  const { may } = await next();
  return { may, did: () => say({ did: id, refused: !may }) };
};
if (behaviour === 'escapes') {
  const answers = [];
  for (const path of readFileSync('targets.txt', 'utf8').split('\\n'))
    answers.push((await want('Write', { file_path: path, content: '' })).may);
  say({ say: JSON.stringify(answers) });
  await leave(null);
}
if (session !== null) { say({ say: 'I remember.' }); await leave(null); }
const change = await want('Write', { file_path: 'greeting.txt', content: 'good-bye\\n' });
if (change.may) writeFileSync('greeting.txt', 'good-bye\\n');
change.did();
(await want('Bash', { command: 'npm publish' })).did();
say({ used: 100 });
if (behaviour === 'asks') { say({ ask: 'Which colour?' }); say({ say: 'They said: ' + (await next()).answer }); }
say({ report: 'pr_ready' });
say({ say: 'Done.' });
await leave(null);
`;

/** 1. Translate: a pure function from a line of the program to our messages. */
function translate(line: Readonly<Record<string, unknown>>): Meaning {
  const { session, say, want, args, id, did, refused, used, end } = line;
  if (typeof session === 'string') return { messages: [], session };
  if (typeof say === 'string')
    return { messages: [{ kind: 'text', text: say }], deltas: [{ kind: 'text_delta', text: say }] };
  if (typeof want === 'string')
    return {
      messages: [{ kind: 'tool_call', toolCallId: String(id), toolName: want, input: isRecord(args) ? args : {} }],
    };
  if (typeof did === 'string')
    return {
      messages: [{ kind: 'tool_result', toolCallId: did, toolName: '', output: '', isError: refused === true }],
    };
  if (typeof used === 'number') {
    const usage = { inputTokens: used, outputTokens: 0, totalTokens: used };
    return { messages: [{ kind: 'usage', model: 'mine', usage, costUsd: null }] };
  }
  if (end === null) return { messages: [], over: { failure: null } };
  if (typeof end === 'string') return { messages: [], over: { failure: failureOf(end) } };
  return 'report' in line || 'ask' in line ? NOTHING : unknownKind('Mine', Object.keys(line).join(), line);
}

/** What it says at its end means what other programs mean by it. A conversation that is lost is begun anew. */
function failureOf(message: string): AgentFailure {
  const code = message === 'forgotten' ? DEAD_SESSION : 'failed';
  return { code, retryable: false, ...meaningOf(message), message: `Mine: ${message}` };
}

/** 2. Talk: what is written and heard. */
function talk(call: ProgramCall): Dialogue {
  let pipe: Pipe | null = null;
  const hearing = openHearing(call, () => pipe?.hangUp());
  const judge = createCallJudge(call.options);
  const tools = createRunTools(call.options, call);
  const send = (line: object): void => pipe?.write(`${JSON.stringify(line)}\n`);
  const silence = setTimeout(() => hearing.fail(silenceFailure(FACTS.name, call)), call.silenceMs).unref();
  const lines = readLines((text) => {
    clearTimeout(silence);
    const line = parseLine(text);
    if (!isRecord(line)) return hearing.garbage(text);
    const { want, args, id, report, ask } = line;
    if (typeof want === 'string') {
      const wanted = { toolCallId: String(id), toolName: want, args: isRecord(args) ? args : {} };
      void judge.decide(wanted).then(({ allowed }) => send({ may: allowed }));
    }
    if (typeof report === 'string') void tools.call('report_outcome', { outcome: report });
    if (typeof ask === 'string')
      void tools.call('ask_human', { question: ask }).then(({ text: answer }) => send({ answer }));
    hearing.heard(translate(line));
  });
  return {
    begin: (opened) => {
      pipe = opened;
      send({ prompt: call.prompt, session: call.session });
    },
    push: lines.push,
    end: () => {
      clearTimeout(silence);
      lines.end();
    },
    ending: () => endingOf(hearing, tools),
  };
}

const FACTS: ProgramFacts = { name: 'Mine', install: 'npm install -g mine', keys: [], loginFiles: [], logIn: '' };

/** 3. Describe: a kind of program for the frame that starts, records, stops and continues it. */
function createMineAgent({ type, definition, env, silenceMs }: ForeignAgentOptions): Agent {
  const argv = definition.command ?? ['mine'];
  const kind: ProgramKind = {
    name: FACTS.name,
    remembers: true,
    silenceMs,
    secrets: passedOn(definition.env, env),
    prepare: async (call) => {
      const { folders, own } = ownHome(call.options, { isUsed: definition.useMyLogin, folders: [] });
      return { argv, own, given: { folders }, dialogue: talk(call) };
    },
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

describeForeignAgent('an adapter in one file', (behaviour) =>
  createMineAgent({
    type: 'mine',
    definition: { command: [process.execPath, program, behaviour], env: [], useMyLogin: false },
    env: { PATH: process.env['PATH'], HOST_SECRET: 'correct-horse' },
    silenceMs: behaviour === 'silent' ? 500 : 900_000,
  }),
);
