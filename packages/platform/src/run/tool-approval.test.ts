import { type Agent, createScriptedAgent, type ToolApproval, type ToolApprovalAnswer } from '@attractor/adapters';
import { expect, it } from 'vitest';
import { addTask, makeRepository, must, openTestPlatform, PERSON } from '../test-support/world.ts';

const asks = (command: string, contentHash?: string): ToolApproval => ({
  toolCallId: 'call_0',
  toolName: 'shell',
  input: { command },
  ...(contentHash === undefined ? {} : { contentHash }),
});

/** What an agent that asks these in turn is told by a person who allows `touch x` and nothing else; then it is asked to plan. */
async function askedInTurn(requests: ReadonlyArray<ToolApproval>) {
  const told: ToolApprovalAnswer[] = [];
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
  const platform = await openTestPlatform({ agents: [agent] });
  const { workflow } = platform;
  const path = await makeRepository({ 'a.txt': 'a\n' });
  const { task } = await addTask(platform, { path, title: 'Ask', pipelineId: 'simple' });
  const stop = workflow.subscribe(() => {
    void workflow.listPrompts({ taskId: task.id, status: 'pending' }).then(async ([prompt]) => {
      if (prompt?.type !== 'tool_approval') return;
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
  const prompts = await workflow.listPrompts({ taskId: task.id });
  return {
    allowed: told.map(({ allowed }) => allowed),
    refused: [...new Set(refused)],
    readOnly,
    asked: prompts.filter(({ type }) => type === 'tool_approval').map(({ payload }) => payload['command']),
  };
}

it('a question about a tool is the same again for the same call, and its answer is none to another call of that id; a run that plans only reads', async () => {
  const hashed = [asks('touch x', 'h1'), asks('touch x', 'h1'), asks('rm -rf x', 'h2'), asks('touch x', 'h1')];
  const plain = [asks('touch x'), asks('rm -rf x'), asks('touch x')];
  expect(await askedInTurn([...hashed, ...plain])).toEqual({
    allowed: [true, true, false, true, true, false, true],
    refused: ['invalid'],
    readOnly: [false, true],
    asked: ['touch x', 'rm -rf x', 'touch x', 'rm -rf x'],
  });
});
