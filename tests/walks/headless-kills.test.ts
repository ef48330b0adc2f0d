import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type JournalRecord, openSessions, readJournal } from '@attractor/journal';
import { parseScript, type Simulator, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder, startAttractor } from './attractor.ts';
import { type Moments, watchMoments } from './kill-moments.ts';

const KILLS = process.env['SOAK'] === '1' ? 1_000 : 8;
const LANES = 2;
const STEPS = 9;
/** The moments of a whole conversation, nearly; in one that goes on from the middle the later ones do not come. */
const MOMENTS = 70;
const MAX_LATER_MS = 12;

/**
 * Each step leaves a trace that would show twice if it were done twice: a line by the shell, a line by an edit, a file. The shell's command
 * does not end before its file may be executed, so the first kill of a lane surely comes while a tool runs.
 */
const STEP_CALLS = [
  (step: number) => ({
    use: 'shell',
    command: `echo step-${step} >> effects; until [ -x effects ]; do sleep 0.01; done; echo ${step} done`,
  }),
  (step: number) => ({ use: 'edit', path: 'list', old: 'END', new: `step-${step}\nEND` }),
  (step: number) => ({ use: 'write', path: `made-${step}`, content: `step-${step}\n` }),
];

async function startModel(): Promise<Simulator> {
  const steps = Array.from({ length: STEPS }, (_, step) => ({
    text: `Step ${step}.`,
    chunkSize: { random: step + 1, max: 700 },
    eventDelayMs: 1,
    toolCalls: [STEP_CALLS[step % STEP_CALLS.length]?.(step), ...(step === 0 ? [{ use: 'read', path: 'list' }] : [])],
  }));
  const parsed = parseScript({ turns: [...steps, { text: 'All done.', repeat: 'forever' }] });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  return simulator;
}

type Place = { readonly home: string; readonly cwd: string; readonly id: string; readonly moments: Moments };
type Fields = Readonly<Record<string, unknown>>;

let started = 0;

async function makePlace(simulator: Simulator): Promise<Place> {
  const cwd = makeFolder();
  writeFileSync(path.join(cwd, 'list'), 'END\n');
  writeFileSync(path.join(cwd, 'effects'), '');
  const moments = await watchMoments(simulator.url, cwd);
  return { home: makeFolder(), cwd, id: `ses_kill${++started}`, moments };
}

type Run = { readonly killed: boolean; readonly code: number | null; readonly lines: ReadonlyArray<Fields> };

/** Starts or resumes the session by its real command, and kills it at the given moment if it comes that far. */
async function run(place: Place, goesOn: 'begin' | 'resume', killAt: number | 'in a tool'): Promise<Run> {
  const { home, cwd, id, moments } = place;
  const effects = path.join(cwd, 'effects');
  if (killAt !== 'in a tool') chmodSync(effects, 0o755);
  const which = goesOn === 'begin' ? ['Do the steps.', '--session-id', id] : ['Go on.', '--resume', id];
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929', '--base-url', moments.url];
  const flags = ['--output-format', 'stream-json', '--allowed-tools', 'Bash,Edit,Write', '--allow-unsandboxed'];
  const { child, ended } = startAttractor(['-p', ...which, ...model, ...flags], {
    home,
    cwd,
    env: { ANTHROPIC_API_KEY: 'none' },
  });
  const later = Math.random() * MAX_LATER_MS;
  moments.follow(child, (count) => {
    if (killAt === 'in a tool' && readFileSync(effects, 'utf8').includes('step')) child.kill('SIGKILL');
    if (count === killAt) setTimeout(() => child.kill('SIGKILL'), Math.random() < 0.5 ? 0 : later);
  });
  const { code, signal, stdout, stderr } = await ended;
  if (signal === null && code !== 0) throw new Error(`${id} ended with ${code}: ${stderr}${stdout}`);
  const whole = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n');
  const lines = whole.filter(Boolean).map((line) => JSON.parse(line) as Fields);
  return { killed: signal === 'SIGKILL', code, lines };
}

function recordsOf({ home, id }: Place): ReadonlyArray<JournalRecord> | null {
  const found = openSessions({ home: path.join(home, '.attractor') }).find(id);
  if (!found.ok) return null;
  const { records, damaged } = readJournal(path.join(found.value.folder, 'journal.jsonl'));
  expect(damaged.length).toBeLessThanOrEqual(1);
  return records.some(({ event }) => event.kind === 'USER_INPUT') ? records : null;
}

/** What a line of the output told is in the journal, word for word. */
function expectStored(line: Fields, records: ReadonlyArray<JournalRecord>): void {
  const events = records.map(({ event }) => event);
  if (line['type'] === 'assistant') {
    const { id, content } = line['message'] as { readonly id: string; readonly content: ReadonlyArray<Fields> };
    const stored = events.find((event) => event.kind === 'ASSISTANT_MESSAGE' && event['responseId'] === id);
    const parts = stored?.['content'] as ReadonlyArray<Fields> | undefined;
    const named = parts?.map((part) => part['text'] ?? part['toolCallId']);
    expect(named).toEqual(content.map((block) => block['text'] ?? block['id']));
  }
  if (line['type'] === 'user') {
    const [result] = (line['message'] as { readonly content: ReadonlyArray<Fields> }).content;
    const end = events.find(
      (event) => event.kind === 'TOOL_CALL_END' && event['toolCallId'] === result?.['tool_use_id'],
    );
    expect(end?.['output']).toBe(result?.['content']);
  }
  if (line['type'] === 'result') expect(events.some(({ kind }) => kind === 'PROCESSING_END')).toBe(true);
}

/** No call began or ended twice; what was told as done is done once, what was interrupted at most once, and nothing else is. */
function checkEffects(place: Place, records: ReadonlyArray<JournalRecord>): number {
  const kinds = (kind: string): ReadonlyArray<Fields> =>
    records.filter(({ event }) => event.kind === kind).map(({ event }) => event);
  const ids = (kind: string): ReadonlyArray<unknown> => kinds(kind).map((event) => event['toolCallId']);
  expect(new Set(ids('TOOL_CALL_START')).size).toBe(ids('TOOL_CALL_START').length);
  expect(ids('TOOL_CALL_END').toSorted()).toEqual([...new Set(ids('TOOL_CALL_END'))].toSorted());
  const wholeText = (name: string): string => readFileSync(path.join(place.cwd, name), 'utf8');
  const made = readdirSync(place.cwd).filter((name) => name.startsWith('made-'));
  const traces = [...['effects', 'list'].filter((name) => readdirSync(place.cwd).includes(name)), ...made]
    .flatMap((name) => wholeText(name).split('\n'))
    .filter((line) => line.startsWith('step-'));
  expect(new Set(traces).size).toBe(traces.length);
  expect(readdirSync(place.cwd).filter((name) => !/^(effects|list|made-\d+)$/.test(name))).toEqual([]);
  const calls = new Map(kinds('TOOL_CALL_START').map((event) => [event['toolCallId'], JSON.stringify(event['args'])]));
  let interrupted = 0;
  for (const end of kinds('TOOL_CALL_END')) {
    const step = /step-\d+/.exec(calls.get(end['toolCallId']) ?? '')?.[0];
    const isCutOff = String(end['output']).startsWith('interrupted');
    if (isCutOff) interrupted++;
    else if (step !== undefined && end['isError'] !== true) expect(traces).toContain(step);
  }
  return interrupted;
}

type Tally = { kills: number; resumed: number; interrupted: number; sessions: number };

/** One session after the other, each killed wherever chance has it until it comes to its end. */
async function workLane(simulator: Simulator, kills: number): Promise<Tally> {
  const tally: Tally = { kills: 0, resumed: 0, interrupted: 0, sessions: 0 };
  while (tally.kills < kills) {
    const place = await makePlace(simulator);
    tally.sessions++;
    const told: Fields[] = [];
    let goesOn: 'begin' | 'resume' = 'begin';
    for (let done = false; !done;) {
      const anywhere = tally.kills < kills ? 1 + Math.floor(Math.random() * MOMENTS) : Infinity;
      const killAt = tally.sessions === 1 && goesOn === 'begin' ? 'in a tool' : anywhere;
      const { killed, lines } = await run(place, goesOn, killAt);
      told.push(...lines);
      const records = recordsOf(place);
      if (killed) tally.kills++;
      else if (goesOn === 'resume') tally.resumed++;
      // Killed before it had taken the prompt: nothing was acknowledged but its name, and it is resumed all the same.
      goesOn = records === null && !lines.some(({ type }) => type === 'system') ? goesOn : 'resume';
      for (const line of told) expectStored(line, records ?? []);
      done = !killed && lines.at(-1)?.['subtype'] === 'success';
      if (!killed) expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'All done.' });
    }
    tally.interrupted += checkEffects(place, recordsOf(place) ?? []);
    await place.moments.close();
  }
  return tally;
}

test(`${KILLS} SIGKILLs of a headless session lose nothing that was told, double no effect, and each session comes to its end`, async () => {
  const simulator = await startModel();
  const lanes = await Promise.all(Array.from({ length: LANES }, () => workLane(simulator, KILLS / LANES)));
  expect(simulator.failures()).toEqual([]);
  expect(simulator.requests().filter(({ status }) => status >= 400)).toEqual([]);
  const sum = (pick: (tally: Tally) => number): number => lanes.reduce((total, lane) => total + pick(lane), 0);
  expect(sum(({ kills }) => kills)).toBe(KILLS);
  expect(sum(({ resumed }) => resumed)).toBeGreaterThan(0);
  expect(sum(({ interrupted }) => interrupted)).toBeGreaterThan(0);
});
