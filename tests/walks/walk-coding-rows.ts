import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ApiClient, CodingSession } from '@attractor/api';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, onTestFinished } from 'vitest';
import { until } from './attractor.ts';
import { type Checkpoint, CODING_ROWS, type CodingRow } from './coding-rows.ts';

/** Where the sessions of all rows go on, and what happens between a question and its answer. */
export type Place = {
  readonly client: () => ApiClient;
  /** Begins a session whose work is proved by a command; the id of its task. */
  readonly startChecked: (row: CodingRow & { readonly check: string }) => Promise<string>;
  /** Every session waits: whoever worked on it and asked is killed. */
  readonly allWait: () => Promise<void>;
  /** Every session was answered: somebody else goes on. */
  readonly allAnswered: () => Promise<void>;
  /** Of the repository in which the branches end. */
  readonly git: (...args: ReadonlyArray<string>) => string;
};

/** The sessions of all rows side by side: at each checkpoint everything is killed, and each is answered to others. */
export async function walkCodingRows(place: Place): Promise<void> {
  const walking = [];
  for (const row of CODING_ROWS) walking.push({ row, id: await start(place, row) });
  const rounds = Math.max(...CODING_ROWS.map(({ checkpoints }) => checkpoints.length));
  for (let round = 0; round < rounds; round += 1) {
    const open = walking.flatMap(({ row, id }) => {
      const checkpoint = row.checkpoints[round];
      return checkpoint === undefined ? [] : [{ id, checkpoint }];
    });
    const asked = [];
    for (const one of open) asked.push({ ...one, before: await reached(place, one) });
    await place.allWait();
    for (const one of asked) await answerElsewhere(place, one);
    await place.allAnswered();
  }
  for (const { row, id } of walking) await expectEnd(place, row, id);
}

async function start({ client, startChecked }: Place, { check, ...row }: CodingRow): Promise<string> {
  return check === undefined
    ? (await must(client().coding.start(row.start))).session_id
    : startChecked({ ...row, check });
}

type At = { readonly id: string; readonly checkpoint: Checkpoint };

function reached(place: Place, { id, checkpoint: { type, about = '' } }: At): Promise<CodingSession> {
  return until(async () => {
    const session = await must(place.client().coding.session(id));
    if (session.stage === 'failed') throw new Error(JSON.stringify(session));
    const pending = session.pending_action;
    const shown = `${pending?.title} ${pending?.command} ${pending?.path}`;
    return pending?.type === type && shown.includes(about) ? session : undefined;
  }, `${id} at ${type} ${about}`);
}

/** What is asked is as it was before the kill, word for word. */
async function answerElsewhere({ client }: Place, { id, checkpoint, before }: At & { readonly before: CodingSession }) {
  const session = await must(client().coding.session(id));
  expect(session).toEqual({ ...before, updated_at: expect.any(String) });
  const { act } = checkpoint;
  if ('rollBack' in act) return must(client().branches.rollBack(id, { files: act.rollBack }));
  const { plan, pending_action: pending } = session;
  return must(client().coding.approve(id, act.answer({ plan, content_hash: pending?.content_hash ?? '' })));
}

async function expectEnd({ client, git }: Place, row: CodingRow, id: string): Promise<void> {
  const session = await must(client().coding.session(id));
  expect(session).toMatchObject({ query: row.start.request, stage: row.stage, pending_action: null });
  expect(session.completed_actions).toMatchObject(row.done);
  const branch = (await must(client().runs.list({ taskId: id }))).find((run) => run.branch !== null)?.branch ?? null;
  // A branch without work is not pushed.
  const isThere = branch !== null && git('branch', '--list', branch) !== '';
  const changed = isThere ? git('diff', '--name-only', `main...${branch}`) : '';
  expect(changed.split('\n').filter((line) => line !== '')).toEqual(row.changed);
}

async function must<Value>(
  answer: Promise<{ readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown }>,
): Promise<Value> {
  const read = await answer;
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

/** The model of every row. */
export async function startModel() {
  const parsed = parseScript({ conversations: CODING_ROWS.flatMap(({ conversations }) => conversations) });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5-20250929'];
  return { ...simulator, flags: [...model, '--base-url', simulator.baseUrls.anthropic] };
}

/** A repository in which the rows have something to do; `sh check.sh` runs every test that there is. */
export function fillRepository(folder: string): void {
  mkdirSync(path.join(folder, 'api'), { recursive: true });
  writeFileSync(path.join(folder, 'api/routes.py'), 'pass\n');
  writeFileSync(path.join(folder, 'check.sh'), 'for f in *.test.sh; do test ! -e "$f" || sh "$f" || exit 1; done\n');
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '-q', '-m', 'first');
}

export function git(cwd: string, ...args: ReadonlyArray<string>): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test'];
  return execFileSync('git', [...author, ...args], { cwd, encoding: 'utf8' }).trimEnd();
}
