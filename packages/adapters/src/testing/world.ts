import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runGit } from '@attractor/git';
import { hostVariables } from '@attractor/system';
import { onTestFinished } from 'vitest';
import type { ApprovalRequest } from '@attractor/policy';
import type { AgentDelta, AgentMessage, AgentRunOptions } from '../agent.ts';

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-adapter-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A repository with one commit that contains `greeting.txt` ("hello"). */
async function makeRepository(): Promise<string> {
  const cwd = makeFolder();
  writeFileSync(join(cwd, 'greeting.txt'), 'hello\n');
  const author = { name: 'Ada', email: 'ada@example.test' };
  for (const args of [
    ['init', '--quiet', '-b', 'main'],
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'first'],
  ]) {
    const result = await runGit(args, { cwd, author });
    if (result.exitCode !== 0) throw new Error(result.stderr);
  }
  return cwd;
}

export type Heard = {
  readonly messages: AgentMessage[];
  readonly deltas: AgentDelta[];
  readonly asked: ApprovalRequest[];
};

const OUTCOMES = [
  { outcome: 'pr_ready', description: 'Done.', payloadSchema: null },
  { outcome: 'needs_info', description: 'Ask.', payloadSchema: { type: 'object', required: ['questions'] } },
];

/** Options of one run that records what it hears. */
export async function makeRun(
  more: Partial<AgentRunOptions> = {},
): Promise<{ readonly options: AgentRunOptions; readonly heard: Heard }> {
  const heard: Heard = { messages: [], deltas: [], asked: [] };
  const options: AgentRunOptions = {
    // Programs of a run are found by its id: runs of other tests are others.
    runId: `run_${randomUUID()}`,
    projectPath: more.projectPath ?? (await makeRepository()),
    prompt: 'Say good-bye in greeting.txt',
    config: {},
    outcomes: OUTCOMES,
    judgeOutcome: (outcome, payload) => (outcome === 'needs_info' && payload === null ? 'needs a payload' : null),
    statePath: join(makeFolder(), 'state'),
    readOnly: false,
    env: { PATH: hostVariables()['PATH'] ?? '/usr/bin:/bin', HOME: tmpdir() },
    onMessage: (message) => void heard.messages.push(message),
    onDelta: (delta) => void heard.deltas.push(delta),
    approve: async (request) => {
      heard.asked.push(request);
      return { decision: 'approve' };
    },
    abortSignal: new AbortController().signal,
    ...more,
  };
  return { options, heard };
}
