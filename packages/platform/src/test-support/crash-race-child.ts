import { createInterface } from 'node:readline';
import { defined } from '@attractor/base';
import { openPlatform } from '../platform.ts';
import { unconfined } from '@attractor/run';
import type { Actor } from '@attractor/store';

/**
 * One of several processes that send commands at the same moment: `node crash-race-child.ts HOME NAME [DATABASE_URL]`. It prints `ready`,
 * then does what each line of its input asks, a list at once: `answer DECISION`, `stop` or `supervise`; and prints how many of them
 * succeeded.
 */
const [home = '', name = '', databaseUrl] = process.argv.slice(2);
const actor: Actor = { type: 'user', name };
const opened = await openPlatform({
  home,
  ...defined({ databaseUrl }),
  agents: [],
  defaultAgentType: 'scripted',
  env: process.env,
  confine: unconfined,
  concurrency: 0,
});
if (!opened.ok) throw new Error(opened.error.message);
const { workflow, close } = opened.value;

const COMMANDS: Readonly<Record<string, () => Promise<number>>> = {
  approve: () => answer('approve'),
  reject: () => answer('reject'),
  stop: async () => {
    const running = await workflow.listRuns({ status: 'running' });
    return countWell(running.map(({ id }) => workflow.stopAgent(id, actor)));
  },
  supervise: async () => {
    const report = await workflow.superviseOnce();
    return report.ok ? report.value.findings.length : Number.NaN;
  },
};

process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${await (COMMANDS[line]?.() ?? Promise.reject(new Error(`What is ${line}?`)))}\n`);
await close();

async function answer(decision: 'approve' | 'reject'): Promise<number> {
  const prompts = await workflow.listPrompts({ status: 'pending' });
  return countWell(prompts.map(({ id }) => workflow.answerPrompt({ promptId: id, answer: { decision } }, actor)));
}

async function countWell(results: ReadonlyArray<Promise<{ readonly ok: boolean }>>): Promise<number> {
  return (await Promise.all(results)).filter(({ ok }) => ok).length;
}
