import { type Agent, createScriptedAgent } from '@attractor/adapters';
import type { ApprovalRequest } from '@attractor/policy';
import { describe, expect, it } from 'vitest';
import { addTask, openTestPlatform } from '../test-support/world.ts';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { must, PERSON } from '@attractor/store/testing';

/** One that only its variable tells, and that no command of a run is given; and one that its form tells. */
const KNOWN = 'correct horse battery 4711';
const SHAPED = `ghp_${'A1b2C3d4'.repeat(4)}9xYz`;

describe('a secret of this machine', () => {
  it('is in nothing that a run stores or shows, whoever prints it: set-up, checks, or a question about a tool', async () => {
    const path = await makeRepository({
      'notes.txt': `${KNOWN}\n${SHAPED}\n`,
      '.attractor/config.json': JSON.stringify({
        setup: 'echo "[$DEPLOY_TOKEN]"; cat notes.txt',
        checks: { test: { command: 'echo "[$DEPLOY_TOKEN]"; cat notes.txt' } },
      }),
    });
    const platform = await openTestPlatform({ agents: [asking], env: { ...ENV, DEPLOY_TOKEN: KNOWN } });
    const { workflow } = platform;
    const { task } = await addTask(platform, { path, title: 'Do it', pipelineId: 'simple' });
    const live: unknown[] = [];
    workflow.onDelta((delta) => live.push(delta));
    const stop = workflow.subscribe(() => {
      void workflow.listPrompts({ taskId: task.id, status: 'pending' }).then(async ([prompt]) => {
        if (prompt?.type === 'tool_approval')
          await workflow.answerPrompt({ promptId: prompt.id, answer: { decision: 'approve' } }, PERSON);
      });
    });
    const { id } = must(await workflow.startAgent({ taskId: task.id, mode: 'implement' }, PERSON));
    await platform.worker.idle();
    stop();
    const prompts = await workflow.listPrompts({ taskId: task.id });
    const events = await workflow.events({ taskId: task.id, limit: 1_000 });
    const whole = JSON.stringify([await workflow.getRun(id), events, prompts, live]);
    expect(prompts.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ toolName: 'shell', contentHash: HASH, suggestions: [] }),
    );
    for (const type of ['run.setup_finished', 'run.check_finished', 'prompt.created'])
      expect(JSON.stringify(events.filter((event) => event.type === type))).toContain('[redacted:');
    expect(whole).toContain('[]\\n[redacted:');
    for (const secret of [KNOWN, SHAPED]) expect(whole).not.toContain(secret);
  });
});

const HASH = 'a1'.repeat(32);

const QUESTION: ApprovalRequest = {
  toolCallId: 'call_1',
  toolName: 'shell',
  input: { command: `deploy --with '${KNOWN}'` },
  contentHash: HASH,
  shown: `deploy --with '${KNOWN}'`,
  reason: 'it may change something',
  part: `deploy --with '${KNOWN}'`,
  suggestions: [{ rules: [`Bash(deploy --with '${KNOWN}')`], destination: 'session', file: null }],
};

/** Asks for what it does, then says that it is done. */
const asking: Agent = {
  ...createScriptedAgent([]),
  run: async (options) => {
    const answer = await options.approve(QUESTION);
    const result = await createScriptedAgent([
      {
        steps: [
          { do: 'createFile', path: 'b.txt', content: JSON.stringify(answer) },
          { do: 'outcome', outcome: 'pr_ready' },
        ],
      },
    ]).run(options);
    return { ...result, finalText: `It was ${KNOWN}.`, outcomeText: `It was ${SHAPED}.` };
  },
};
