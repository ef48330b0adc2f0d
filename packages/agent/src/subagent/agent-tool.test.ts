import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import { createMemoryEnvironment } from '../testing/memory-environment.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import type { ToolResult } from '../types/index.ts';
import type { AgentDefinition } from '@attractor/settings';
import { BUILT_IN_AGENTS } from './built-in-agents.ts';
import { profileForAgent } from './agent-profile.ts';
import { createAgentTool, runAsChildren, type AgentOrder } from './agent-tool.ts';
import type { SpawnOrder } from './child.ts';

const MINE: AgentDefinition = {
  name: 'mine',
  description: 'Does mine',
  prompt: 'You are mine.',
  tools: ['Read', 'Bash', 'grep'],
  model: 'small',
  maxTurns: 3,
};

const ARGS = { description: 'A part', prompt: 'Do it', subagent_type: 'mine' };

async function use(
  run: (order: AgentOrder, signal?: AbortSignal) => Promise<ToolResult>,
  args: object,
  signal?: AbortSignal,
) {
  const tool = createAgentTool({ agents: [...BUILT_IN_AGENTS, MINE], run });
  const context = { toolCallId: 'call_1', ...defined({ signal }) };
  const answer = await tool.executor({ ...ARGS, ...args }, createMemoryEnvironment(), context);
  return typeof answer === 'string' ? { output: answer, isError: false } : answer;
}

const said = (output: string): ToolResult => ({ output, isError: false });

describe('the tool for agents', () => {
  it('tells which kinds there are, and orders one with what its definition says', async () => {
    const orders: AgentOrder[] = [];
    const run = async (order: AgentOrder) => {
      orders.push(order);
      return said('done');
    };
    const { definition } = createAgentTool({ agents: [...BUILT_IN_AGENTS, MINE], run });
    for (const name of ['general-purpose', 'explore', 'plan', 'code', 'test', 'mine'])
      expect(definition.description).toContain(`- ${name}: `);
    expect(await use(run, {})).toEqual(said('done'));
    await use(run, { model: 'large' });
    await use(run, { model: 'inherit', subagent_type: 'explore' });
    expect(orders).toEqual([
      { id: 'call_1', instruction: 'Do it', description: 'A part', agent: MINE, model: 'small', maxTurns: 3 },
      expect.objectContaining({ model: 'large' }),
      expect.not.objectContaining({ model: expect.anything() }),
    ]);
    expect(await use(run, { subagent_type: 'other' })).toMatchObject({ isError: true });
  });

  it('finds an agent by the name that others write with capitals, unless another has exactly that name', () => {
    const asked = (agents: ReadonlyArray<AgentDefinition>, name: unknown) =>
      createAgentTool({ agents, run: async () => said('') }).ownArguments?.({ ...ARGS, subagent_type: name });
    expect(asked(BUILT_IN_AGENTS, 'Explore')).toEqual({ ...ARGS, subagent_type: 'explore' });
    expect(asked([...BUILT_IN_AGENTS, { ...MINE, name: 'Explore' }], 'Explore')).toMatchObject({
      subagent_type: 'Explore',
    });
    expect(asked(BUILT_IN_AGENTS, 'Nobody')).toMatchObject({ subagent_type: 'Nobody' });
  });

  it('later agents win over earlier ones of the same name', async () => {
    const own = { ...MINE, name: 'explore', description: 'Looks differently' };
    const tool = createAgentTool({ agents: [...BUILT_IN_AGENTS, own], run: async () => said('') });
    expect(tool.definition.description).toContain('- explore: Looks differently');
    expect(tool.definition.description).not.toContain('Finds things in the code');
  });
});

describe('an agent as a child of a session', () => {
  const child = (waited: ToolResult, spawned: ToolResult = said('at work'), taken: ReadonlyArray<string> = []) => {
    const calls: string[] = [];
    const agents = {
      has: (id: string) => taken.includes(id),
      spawn: ({ id }: SpawnOrder) => {
        calls.push(`spawn ${id}`);
        return spawned;
      },
      wait: async (id: string) => {
        calls.push(`wait ${id}`);
        return waited;
      },
      close: async (id: string) => {
        calls.push(`close ${id}`);
        return said('');
      },
      leave: (id: string) => void calls.push(`leave ${id}`),
    };
    return { calls, run: runAsChildren(() => agents) };
  };
  const result = (output: string, success: boolean) => said(JSON.stringify({ output, success, turnsUsed: 2 }));

  it('gives its last words; a failure and a refusal are errors', async () => {
    const done = child(result('The report.', true));
    expect(await use(done.run, {})).toEqual(said('The report.'));
    expect(done.calls).toEqual(['spawn call_1', 'wait call_1']);
    expect(await use(child(result('So far.', false)).run, {})).toEqual({
      output: 'The agent mine did not finish (2 rounds):\nSo far.',
      isError: true,
    });
    expect(await use(child(result('', true)).run, {})).toEqual(said('The agent mine said nothing.'));
    const full = child(said(''), { output: 'no more may be', isError: true });
    expect(await use(full.run, {})).toEqual({ output: 'no more may be', isError: true });
    expect(full.calls).toEqual(['spawn call_1']);
  });

  it('has the id of its call, or one beside it where a server used that id before', async () => {
    const again = child(result('The report.', true), said('at work'), ['call_1', 'call_1-2']);
    expect(await use(again.run, {})).toEqual(said('The report.'));
    expect(again.calls).toEqual(['spawn call_1-3', 'wait call_1-3']);
  });

  it('is stopped when nobody waits for it any more', async () => {
    const stopped = child({ output: 'ended before', isError: true });
    expect(await use(stopped.run, {}, AbortSignal.abort())).toMatchObject({ isError: true });
    expect(stopped.calls.at(-1)).toBe('close call_1');
  });

  it('has of its parent only the tools that it may use, by any of their names, and its own words first', () => {
    const parent = createAnthropicProfile();
    const profile = profileForAgent(parent, MINE);
    expect(profile.toolRegistry.definitions().map(({ name }) => name)).toEqual(['read_file', 'shell', 'grep']);
    expect(parent.toolRegistry.get('edit_file')).not.toBeNull();
    const { tools: _all, ...free } = MINE;
    expect(profileForAgent(parent, free).toolRegistry.list()).toHaveLength(parent.toolRegistry.list().length);
    const prompt = profile.buildSystemPrompt({
      platform: 'linux',
      osVersion: '6',
      workingDirectory: '/w',
      gitBranch: null,
      gitStatus: null,
      gitLog: null,
      date: '2026-02-14',
      model: 'm',
      projectDocs: '',
      userInstruction: 'And be kind.',
    });
    expect(prompt).toMatch(/You are mine\.\n\nAnd be kind\.$/);
  });
});
