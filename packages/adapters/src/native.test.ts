import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@attractor/llm';
import { type ScriptInput, type Simulator, startSimulator } from '@attractor/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from './agent.ts';
import { createNativeAgent } from './native.ts';
import { describeAgent } from './testing/index.ts';
import { makeRun } from './testing/world.ts';

const WORK: ScriptInput = {
  turns: [
    { text: 'I look first.', toolCalls: [{ use: 'read', path: 'greeting.txt' }] },
    {
      text: 'Now the change.',
      toolCalls: [
        { name: 'edit_file', args: { file_path: 'greeting.txt', old_string: 'hello', new_string: 'good-bye' } },
      ],
    },
    { toolCalls: [{ name: 'shell', args: { command: 'cat greeting.txt && mkfifo seen' } }] },
    { text: 'It says good-bye.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
    { text: 'Done.' },
  ],
};

async function simulate(script: ScriptInput): Promise<{ readonly simulator: Simulator; readonly make: () => Agent }> {
  const simulator = await startSimulator({ script });
  const client = createClient({
    configuration: {
      providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls.anthropic } },
      maxRetries: 0,
    },
  });
  onTestFinished(async () => {
    await client.close();
    await simulator.close();
  });
  return { simulator, make: () => createNativeAgent({ client, defaultProvider: 'anthropic' }) };
}

/** Writes its process id, and stays. */
const STAYS = 'echo $$ > pid; sleep 600';

const only = async (script: ScriptInput): Promise<Agent> => (await simulate(script)).make();

describeAgent('our own loop', {
  works: () => only(WORK),
  fails: () => only({ turns: [{ fault: { kind: 'unauthorized', times: 'forever' } }] }),
  hangs: () =>
    only({
      turns: [
        { text: 'I look.', toolCalls: [{ use: 'read', path: 'greeting.txt' }] },
        { text: 'Wait.', delayMs: 3_600_000 },
      ],
    }),
});

describe('our own loop', () => {
  it('offers only tools that read, and the report, in a run that only reads', async () => {
    const { simulator, make } = await simulate({ turns: [{ text: 'ok' }] });
    const { options } = await makeRun({ readOnly: true });
    await make().run(options);
    const body = JSON.stringify(simulator.requests()[0]);
    expect(body).toContain('report_outcome');
    expect(body).toContain('"read_file"');
    for (const name of ['edit_file', 'write_file', 'shell']) expect(body).not.toContain(name);
  });

  it('asks about a call without the secrets of its run, and offers no rule that would hold a mask', async () => {
    const secret = 'correct-horse-battery';
    const run = (command: string) => ({ toolCalls: [{ name: 'shell', args: { command } }] });
    const { make } = await simulate({ turns: [run(`mkfifo ${secret}`), run('mkfifo plain'), { text: 'Done.' }] });
    const { options, heard } = await makeRun();
    await make().run({ ...options, env: { ...options.env, DEPLOY_TOKEN: secret } });
    expect(heard.asked).toMatchObject([
      { input: { command: expect.stringMatching(/^mkfifo \[redacted:/) }, suggestions: [] },
      { input: { command: 'mkfifo plain' }, suggestions: [expect.anything()] },
    ]);
    expect(JSON.stringify(heard.asked)).not.toContain(secret);
  });

  it('gives parts of the work to agents, whose tokens count, and ends what runs in the background with the run', async () => {
    const task = { description: 'look', prompt: 'EXPLORE', subagent_type: 'explore' };
    const { make } = await simulate({
      conversations: [
        { match: { firstUser: 'EXPLORE' }, turns: [{ text: 'It is in greeting.txt.' }] },
        {
          turns: [
            { toolCalls: [{ name: 'Task', args: task }] },
            {
              expect: { toolResult: 'It is in' },
              toolCalls: [{ name: 'shell', args: { command: STAYS, run_in_background: true } }],
            },
            { toolCalls: [{ name: 'shell', args: { command: 'until [ -s pid ]; do sleep 0.05; done' } }] },
            { toolCalls: [{ name: 'TodoWrite', args: { todos: [{ content: 'a step', status: 'pending' }] } }] },
            { toolCalls: [{ name: 'TodoRead', args: {} }] },
            {
              expect: { toolResult: 'a step' },
              toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }],
            },
            { text: 'Done.' },
          ],
        },
      ],
    });
    const { options, heard } = await makeRun();
    const ended = await make().run(options);
    expect(ended).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    const usages = heard.messages.filter(({ kind }) => kind === 'usage');
    expect(usages).toHaveLength(8);
    const sum = usages.reduce((all, one) => all + (one.kind === 'usage' ? one.usage.inputTokens : 0), 0);
    expect(ended.tokenUsage).toMatchObject({ inputTokens: sum, totalCost: expect.any(Number) });
    const pid = Number(readFileSync(join(options.projectPath, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
  });

  it.each([
    ['anthropic', 'edit_file'],
    ['openai', 'apply_patch'],
    ['gemini', 'list_dir'],
  ] as const)('has the tools that models of %s know', async (provider, tool) => {
    const simulator = await startSimulator({ script: { turns: [{ text: 'ok' }] } });
    const settings = { apiKey: 'test-key-0001', baseUrl: simulator.baseUrls[provider] };
    const client = createClient({ configuration: { providers: { [provider]: settings }, maxRetries: 0 } });
    onTestFinished(async () => {
      await client.close();
      await simulator.close();
    });
    const { options } = await makeRun({ config: { provider } });
    expect(await createNativeAgent({ client, defaultProvider: 'anthropic' }).run(options)).toMatchObject({
      exitCode: 0,
    });
    const body = JSON.stringify(simulator.requests({ protocol: provider })[0]?.body);
    expect(body).toContain(`"name":"${tool}"`);
    expect(body).toContain(`- ${tool}: `);
  });

  it('tells a denied command to the model and goes on', async () => {
    const { make } = await simulate(WORK);
    const { options, heard } = await makeRun({ approve: async () => ({ decision: 'reject', message: 'not today' }) });
    expect(await make().run(options)).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    const denied = heard.messages.find((message) => message.kind === 'tool_result' && message.toolName === 'shell');
    expect(denied).toMatchObject({ isError: true, output: expect.stringContaining('not today') });
  });

  it('goes on after a shutdown while a person is asked: the question comes again, nothing else does', async () => {
    const { simulator, make } = await simulate(WORK);
    const stop = new AbortController();
    const first = await makeRun({
      abortSignal: stop.signal,
      approve: () => {
        stop.abort('shutdown');
        return new Promise(() => undefined);
      },
    });
    expect((await make().run(first.options)).exitCode).toBe(1);
    const second = await makeRun({ statePath: first.options.statePath, projectPath: first.options.projectPath });
    expect(await make().run(second.options)).toMatchObject({
      exitCode: 0,
      outcome: 'pr_ready',
      finalText: 'Done.',
      outcomeText: 'It says good-bye.',
    });
    expect(second.heard.asked).toMatchObject([{ toolName: 'shell' }]);
    expect(second.heard.messages.slice(0, first.heard.messages.length)).toEqual(first.heard.messages);
    expect(simulator.requests()).toHaveLength(5);
    expect(readFileSync(join(first.options.projectPath, 'greeting.txt'), 'utf8')).toBe('good-bye\n');
  });

  it('refuses a report that does not fit, and takes the next one', async () => {
    const { make } = await simulate({
      turns: [
        { toolCalls: [{ name: 'report_outcome', args: { outcome: 'needs_info' } }] },
        { toolCalls: [{ name: 'report_outcome', args: { outcome: 'needs_info', payload: { questions: [] } } }] },
        { text: 'Asked.' },
      ],
    });
    const { options, heard } = await makeRun();
    expect(await make().run(options)).toMatchObject({ outcome: 'needs_info', payload: { questions: [] } });
    expect(heard.messages).toContainEqual(
      expect.objectContaining({
        kind: 'tool_result',
        isError: true,
        output: expect.stringContaining('needs a payload'),
      }),
    );
  });

  it('takes a further input in the same conversation, once for each key', async () => {
    const { simulator, make } = await simulate({
      turns: [
        { text: 'I forgot.' },
        { text: 'Here.', toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
        { text: 'Reported.' },
      ],
    });
    const { options } = await makeRun();
    const agent = make();
    const first = await agent.run(options);
    expect(first).toMatchObject({ exitCode: 0, finalText: 'I forgot.' });
    expect(first.outcome).toBeUndefined();
    const repaired = await agent.say?.({ ...options, prompt: 'Report the outcome.', inputKey: 'repair:outcome' });
    expect(repaired).toMatchObject({ exitCode: 0, outcome: 'pr_ready' });
    expect(repaired?.tokenUsage.inputTokens).toBeGreaterThan(first.tokenUsage.inputTokens);
    expect(await agent.say?.({ ...options, prompt: 'Report the outcome.', inputKey: 'repair:outcome' })).toEqual(
      repaired,
    );
    expect(simulator.requests()).toHaveLength(3);
  });

  it('is compacted by a further input that says so, once for each key, and counts what that cost', async () => {
    const { simulator, make } = await simulate({
      conversations: [
        { match: { system: { contains: 'You write the summary' } }, turns: [{ text: 'In short.', repeat: 'forever' }] },
        { turns: [{ text: `Long. ${'And longer. '.repeat(900)}`, repeat: 'forever' }] },
      ],
    });
    const { options, heard } = await makeRun();
    const agent = make();
    await agent.run(options);
    const further = await agent.say?.({ ...options, prompt: 'Go on.', inputKey: 'further' });
    const compacted = await agent.say?.({ ...options, prompt: '/compact', inputKey: 'compact' });
    expect(compacted).toMatchObject({ exitCode: 0, finalText: '' });
    expect(compacted?.tokenUsage.inputTokens).toBeGreaterThan(further?.tokenUsage.inputTokens ?? 0);
    expect(await agent.say?.({ ...options, prompt: '/compact', inputKey: 'compact' })).toEqual(compacted);
    expect(simulator.requests()).toHaveLength(3);
    expect(heard.messages.some((message) => message.kind === 'notice' && message.text.includes('compacted'))).toBe(
      true,
    );
    await agent.say?.({ ...options, prompt: 'And now?', inputKey: 'last' });
    const body = JSON.stringify(simulator.requests().at(-1)?.body);
    expect(body).toContain('The conversation so far was compacted');
    expect(body).toContain('Say good-bye in greeting.txt');
  });

  it('says that it waits for its model, and when that answers again', async () => {
    const { make } = await simulate({
      turns: [
        {
          text: 'I look.',
          toolCalls: [{ use: 'read', path: 'greeting.txt' }],
          fault: { kind: 'overloaded', times: 2 },
        },
        { text: 'Done.', fault: { kind: 'overloaded', times: 3 } },
      ],
    });
    const { options, heard } = await makeRun();
    expect(await make().run(options)).toMatchObject({ exitCode: 0 });
    expect(heard.messages.flatMap((message) => (message.kind === 'notice' ? [message.text] : []))).toEqual([
      expect.stringMatching(/overloaded.* The model is asked again until it answers; nothing is lost\.$/i),
      'The model answers again.',
    ]);
    expect(new Set(heard.messages.map(({ key }) => key)).size).toBe(heard.messages.length);
  });

  it('counts an answer that was of no use', async () => {
    const turn = { text: 'Done.', finish: 'length', fault: { kind: 'empty' as const, times: 1 } };
    const { make } = await simulate({ turns: [{ ...turn, usage: { input: 1_000, output: 500 } }] });
    const { options, heard } = await makeRun();
    expect((await make().run(options)).tokenUsage).toMatchObject({ inputTokens: 2_000, outputTokens: 500 });
    const used = heard.messages.flatMap((message) => (message.kind === 'usage' ? [message.usage.inputTokens] : []));
    expect(used).toEqual([1_000, 1_000]);
  });

  it('prices what it used, and says null where the price is unknown', async () => {
    const known = await makeRun({ config: { model: 'claude-sonnet-4-5' } });
    expect(
      (await (await simulate({ turns: [{ text: 'ok' }] })).make().run(known.options)).tokenUsage.totalCost,
    ).toBeGreaterThan(0);
    const unknown = await makeRun({ config: { model: 'some-model-of-mine' } });
    expect(
      (await (await simulate({ turns: [{ text: 'ok' }] })).make().run(unknown.options)).tokenUsage.totalCost,
    ).toBeNull();
  });

  it('streams text as it comes', async () => {
    const { make } = await simulate({ turns: [{ text: 'word by word', deltaChars: 4 }] });
    const { options, heard } = await makeRun();
    await make().run(options);
    const text = heard.deltas.map((delta) => (delta.kind === 'text_delta' ? delta.text : '')).join('');
    expect(text).toBe('word by word');
  });

  it('stops a further input at its own limit of rounds', async () => {
    const look = { toolCalls: [{ name: 'read_file', args: { file_path: 'greeting.txt' } }] };
    const { make, simulator } = await simulate({ turns: [{ text: 'I forgot.' }, look, look, look, { text: 'Done.' }] });
    const { options } = await makeRun();
    const agent = make();
    expect(await agent.run(options)).toMatchObject({ exitCode: 0 });
    const further = { ...options, prompt: 'Repair it.', inputKey: 'repair:checks', maxToolRounds: 2 };
    expect(await agent.say?.(further)).toMatchObject({ error: { code: 'turn_limit' } });
    expect(simulator.requests()).toHaveLength(3);
  });

  it('stops at its limit of turns with an error that says so', async () => {
    const { make } = await simulate(WORK);
    const { options } = await makeRun({ config: { maxTurns: 2 } });
    expect((await make().run(options)).error).toMatchObject({ code: 'turn_limit' });
  });
});
