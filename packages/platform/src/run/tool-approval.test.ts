import { defined } from '@attractor/base';
import { type Agent, createScriptedAgent } from '@attractor/adapters';
import type { ApprovalAnswer, ApprovalRequest } from '@attractor/policy';
import { expect, it } from 'vitest';
import { tellOfPrompt } from '@attractor/pipeline';
import { closePrompt, openStore, type Prompt } from '@attractor/store';
import { addTask, openTestPlatform } from '../test-support/world.ts';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { makeRepository } from '@attractor/repository/testing';

const asks = (command: string, contentHash?: string): ApprovalRequest => ({
  toolCallId: 'call_0',
  toolName: 'shell',
  input: { command },
  command,
  ...defined({ contentHash }),
});

/** How another process closes a question that nobody answered: taken back, or with a word that is none to it. */
const CLOSED_ELSEWHERE: Readonly<Record<string, Parameters<typeof closePrompt>[2]>> = {
  'taken back': 'cancelled',
  'answered oddly': { answer: { decision: 'changes' } },
};

/** What an agent that asks these in turn is told by a person who allows `touch x` and nothing else; then it is asked to plan. */
async function askedInTurn(requests: ReadonlyArray<ApprovalRequest>) {
  const told: ApprovalAnswer[] = [];
  const refused: string[] = [];
  const readOnly: boolean[] = [];
  const agent: Agent = {
    ...createScriptedAgent([]),
    run: async (options) => {
      readOnly.push(options.readOnly);
      if (!options.readOnly) for (const request of requests) told.push(await options.approve(request));
      return createScriptedAgent([{ steps: [{ do: 'error', message: 'enough' }] }]).run(options);
    },
  };
  const home = makeFolder();
  const platform = await openTestPlatform({ agents: [agent], home });
  const { workflow } = platform;
  const elsewhere = must(await openStore({ home }));
  const path = await makeRepository({ 'a.txt': 'a\n' });
  const { task } = await addTask(platform, { path, title: 'Ask', pipelineId: 'simple' });
  const closeElsewhere = (prompt: Prompt, how: Parameters<typeof closePrompt>[2]) =>
    elsewhere.transact(async (tx) => {
      const closed = await closePrompt(tx, prompt, how);
      const told = {
        projectId: task.projectId,
        actor: PERSON,
        type: 'prompt.cancelled',
        summary: 'Closed elsewhere',
      } as const;
      if (closed !== null) await tellOfPrompt(tx, closed, told);
    });
  const stop = workflow.subscribe(() => {
    void workflow.listPrompts({ taskId: task.id, status: 'pending' }).then(async ([prompt]) => {
      if (prompt?.type !== 'tool_approval') return;
      const how = CLOSED_ELSEWHERE[String(prompt.payload['command'])];
      if (how !== undefined) return closeElsewhere(prompt, how);
      const decision = prompt.payload['command'] === 'touch x' ? 'approve' : 'reject';
      const odd = await workflow.answerPrompt({ promptId: prompt.id, answer: { decision: 'changes' } }, PERSON);
      refused.push(odd.ok ? 'taken' : odd.error.code);
      await workflow.answerPrompt({ promptId: prompt.id, answer: { decision } }, PERSON);
    });
  });
  for (const mode of ['implement', 'plan'] as const) {
    must(await workflow.startAgent({ taskId: task.id, mode }, PERSON));
    await platform.worker.idle();
  }
  stop();
  await elsewhere.close();
  const prompts = await workflow.listPrompts({ taskId: task.id });
  return {
    allowed: told.map(({ decision }) => decision === 'approve'),
    refused: [...new Set(refused)],
    readOnly,
    asked: prompts.flatMap((prompt) => (prompt.type === 'tool_approval' ? [prompt.payload.command] : [])),
  };
}

it('a question about a tool is the same again for the same call, and its answer is none to another call of that id; a run that plans only reads', async () => {
  const hashed = [asks('touch x', 'h1'), asks('touch x', 'h1'), asks('rm -rf x', 'h2'), asks('touch x', 'h1')];
  const plain = [asks('touch x'), asks('rm -rf x'), asks('touch x')];
  // Closed without an answer to it, a question is a refusal.
  const unanswered = Object.keys(CLOSED_ELSEWHERE).map((command) => asks(command));
  expect(await askedInTurn([...hashed, ...plain, ...unanswered])).toEqual({
    allowed: [true, true, false, true, true, false, true, false, false],
    refused: ['invalid'],
    readOnly: [false, true],
    asked: ['touch x', 'rm -rf x', 'touch x', 'rm -rf x', 'taken back', 'answered oddly'],
  });
});
