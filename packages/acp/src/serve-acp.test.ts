import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods, RequestError, type RequestPermissionRequest } from '@agentclientprotocol/sdk/unstable';
import { call, type Script } from '@attractor/agent/testing';
import { describe, expect, it } from 'vitest';
import { openEditor } from './test-support/editor-world.ts';

const { agent: asked } = methods;

const EDIT = call('edit_file', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }, 'c1');

const text = (words: string) => [{ type: 'text' as const, text: words }];

const kindOf = ({ options }: RequestPermissionRequest, kind: string): string =>
  options.find((option) => option.kind === kind)?.optionId ?? 'none';

describe('an editor that hosts our agent', () => {
  it('shows thoughts, text, a diff that a person allowed, a plan and what it cost', async () => {
    const steps = call('TodoWrite', { todos: [{ content: 'Fix it', status: 'in_progress', activeForm: 'Fixing' }] });
    const script: Script = [
      { thinking: 'Which file?', text: 'I look. ', calls: [call('read_file', { file_path: 'sum.js' }), steps] },
      { calls: [EDIT] },
      { text: 'Done.' },
    ];
    const editor = await openEditor(script, { choose: (request) => kindOf(request, 'allow_once') });
    const { sessionId, modes } = await editor.agent.request(asked.session.new, { cwd: editor.folder, mcpServers: [] });
    expect(modes).toMatchObject({ currentModeId: 'default' });
    const answer = await editor.agent.request(asked.session.prompt, { sessionId, prompt: text('Fix sum.') });
    expect(answer).toMatchObject({ stopReason: 'end_turn', usage: { totalTokens: expect.any(Number) } });
    expect(readFileSync(join(editor.folder, 'sum.js'), 'utf8')).toContain('a + b');
    expect(editor.said('agent_message_chunk')).toBe('I look. Done.');
    expect(editor.said('agent_thought_chunk')).toContain('Which file?');
    const file = join(editor.folder, 'sum.js');
    expect(editor.asked).toHaveLength(1);
    expect(editor.asked[0]).toMatchObject({
      toolCall: {
        toolCallId: 'c1',
        kind: 'edit',
        locations: [{ path: file }],
        content: [{ type: 'diff', path: file, oldText: 'a - b', newText: 'a + b' }, { type: 'content' }],
      },
    });
    expect(editor.updates).toContainEqual({
      sessionUpdate: 'plan',
      entries: [{ content: 'Fix it', priority: 'medium', status: 'in_progress' }],
    });
    const ended = editor.updates.findLast(
      (update) => update.sessionUpdate === 'tool_call_update' && update.toolCallId === 'c1',
    );
    expect(ended).toMatchObject({
      status: 'completed',
      content: [
        {
          type: 'diff',
          path: file,
          oldText: 'export const sum = (a, b) => a - b;\n',
          newText: 'export const sum = (a, b) => a + b;\n',
        },
      ],
    });
    const kinds = editor.updates.map(({ sessionUpdate }) => sessionUpdate);
    expect(kinds).toEqual(
      expect.arrayContaining(['available_commands_update', 'usage_update', 'session_info_update', 'tool_call']),
    );
    expect(editor.updates).toContainEqual(expect.objectContaining({ kind: 'read', locations: [{ path: file }] }));
  });

  it('is refused a change, and allows one for the rest of the conversation', async () => {
    const write = (n: number) => call('write_file', { file_path: 'new.txt', content: `${n}\n` }, `w${n}`);
    const script: Script = [{ calls: [write(1)] }, { calls: [write(2)] }, { calls: [write(3)] }, { text: 'Done.' }];
    const editor = await openEditor(script, {
      choose: (request) => kindOf(request, request.toolCall.toolCallId === 'w1' ? 'reject_once' : 'allow_always'),
    });
    const { sessionId } = await editor.agent.request(asked.session.new, { cwd: editor.folder, mcpServers: [] });
    await editor.agent.request(asked.session.prompt, { sessionId, prompt: text('Write.') });
    expect(editor.asked.map(({ toolCall }) => toolCall.toolCallId)).toEqual(['w1', 'w2']);
    expect(readFileSync(join(editor.folder, 'new.txt'), 'utf8')).toBe('3\n');
    const statuses = editor.updates.flatMap((update) =>
      update.sessionUpdate === 'tool_call_update' && update.toolCallId === 'w1' ? [update.status] : [],
    );
    expect(statuses).toContain('failed');
  });

  it('cancels a turn while a person is asked and while a model answers, and goes on with the next prompt', async () => {
    let count = 0;
    const script: Script = ({ messages }) => {
      count += 1;
      if (count === 1) return { calls: [EDIT] };
      return count === 2 ? { text: 'For ever', hangs: true } : { text: `Turn ${messages.length > 2}` };
    };
    const waiting = Promise.withResolvers<void>();
    const editor = await openEditor(script, {
      choose: async () => {
        waiting.resolve();
        return new Promise(() => undefined);
      },
    });
    const { agent } = editor;
    const { sessionId } = await agent.request(asked.session.new, { cwd: editor.folder, mcpServers: [] });
    const first = agent.request(asked.session.prompt, { sessionId, prompt: text('One') });
    await waiting.promise;
    const queued = agent.request(asked.session.prompt, { sessionId, prompt: text('Never said') });
    await agent.notify(asked.session.cancel, { sessionId });
    expect(await first).toMatchObject({ stopReason: 'cancelled' });
    expect(await queued).toMatchObject({ stopReason: 'cancelled' });
    const stop = new AbortController();
    const second = agent.request(
      asked.session.prompt,
      { sessionId, prompt: text('Two') },
      { cancellationSignal: stop.signal },
    );
    await expect.poll(() => editor.said('agent_message_chunk')).toContain('For ever');
    stop.abort();
    expect(await second).toMatchObject({ stopReason: 'cancelled' });
    expect(await agent.request(asked.session.prompt, { sessionId, prompt: text('Three') })).toMatchObject({
      stopReason: 'end_turn',
    });
    expect(editor.said('agent_message_chunk')).toContain('Turn true');
    expect(readFileSync(join(editor.folder, 'sum.js'), 'utf8')).toContain('a - b');
  });

  it('lists, loads with its history, resumes, forks and deletes conversations, in another process too', async () => {
    const script: Script = [
      { text: 'Reading.', calls: [call('read_file', { file_path: 'sum.js' }, 'r1')] },
      { text: 'It subtracts.' },
    ];
    const before = await openEditor(script);
    const { sessionId } = await before.agent.request(asked.session.new, { cwd: before.folder, mcpServers: [] });
    await before.agent.request(asked.session.prompt, { sessionId, prompt: text('What is in sum.js?') });
    await before.agent.request(asked.session.new, { cwd: before.folder, mcpServers: [] });
    before.hangUp();
    await before.isOver;
    const editor = await openEditor([{ text: 'As I said.' }], { home: before.home, folder: before.folder });
    const { agent } = editor;
    expect(
      readdirSync(join(editor.home, 'sessions'), { recursive: true }).filter((name) => String(name).endsWith('.jsonl')),
    ).toHaveLength(1);
    const at = { cwd: editor.folder, mcpServers: [] };
    const { sessions } = await agent.request(asked.session.list, { cwd: editor.folder });
    expect(sessions).toMatchObject([{ sessionId, cwd: editor.folder, title: 'What is in sum.js?' }]);
    const loaded = await agent.request(asked.session.load, { sessionId, ...at });
    expect(loaded.modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'acceptEdits', 'plan']);
    expect(editor.said('user_message_chunk')).toBe('What is in sum.js?');
    expect(editor.said('agent_message_chunk')).toBe('Reading.It subtracts.');
    expect(editor.updates).toContainEqual(expect.objectContaining({ toolCallId: 'r1', status: 'completed' }));
    await agent.request(asked.session.prompt, { sessionId, prompt: text('Again?') });
    expect(editor.said('agent_message_chunk')).toContain('As I said.');
    const fork = await agent.request(asked.session.fork, { sessionId, ...at });
    expect(fork.sessionId).not.toBe(sessionId);
    await agent.request(asked.session.close, { sessionId });
    const told = editor.updates.length;
    expect(await agent.request(asked.session.resume, { sessionId, ...at })).toMatchObject({ modes: expect.anything() });
    expect(editor.updates.slice(told).every(({ sessionUpdate }) => sessionUpdate !== 'user_message_chunk')).toBe(true);
    await agent.request(asked.session.delete, { sessionId });
    await expect(agent.request(asked.session.load, { sessionId, ...at })).rejects.toMatchObject({ code: -32002 });
  });

  it('changes mode, model and thinking, and leaves plan mode by a plan that a person approved', async () => {
    const script: Script = [
      { calls: [call('ExitPlanMode', { plan: '# Plan\n\nAdd.' }, 'p1')] },
      { calls: [EDIT] },
      { text: 'Done.' },
    ];
    const editor = await openEditor(script, { choose: () => 'acceptEdits' });
    const { agent } = editor;
    const { sessionId, configOptions } = await agent.request(asked.session.new, { cwd: editor.folder, mcpServers: [] });
    expect(configOptions?.map(({ category }) => category)).toEqual(['mode', 'model', 'thought_level']);
    const set = (configId: string, value: string) =>
      agent.request(asked.session.setConfigOption, { sessionId, configId, value });
    const { configOptions: chosen } = await set('model', 'claude-opus-4-1');
    expect(chosen.map(({ currentValue }) => currentValue)).toEqual(['default', 'claude-opus-4-1', 'default']);
    await set('effort', 'high');
    await expect(set('mode', 'bypassPermissions')).rejects.toMatchObject({ code: -32602 });
    await agent.request(asked.session.setMode, { sessionId, modeId: 'plan' });
    await agent.request(asked.session.prompt, { sessionId, prompt: text('Plan it.') });
    expect(editor.asked).toHaveLength(1);
    expect(editor.asked[0]).toMatchObject({
      toolCall: { kind: 'switch_mode', content: [{ content: { text: '# Plan\n\nAdd.' } }] },
    });
    expect(readFileSync(join(editor.folder, 'sum.js'), 'utf8')).toContain('a + b');
    const modes = editor.updates.flatMap((update) =>
      update.sessionUpdate === 'current_mode_update' ? [update.currentModeId] : [],
    );
    expect(modes).toEqual(['plan', 'acceptEdits']);
  });

  it('has the files of the editor with what is not saved, and its terminals where no sandbox holds commands', async () => {
    const script: Script = [
      { calls: [call('read_file', { file_path: 'sum.js' }, 'r1')] },
      { calls: [call('edit_file', { file_path: 'sum.js', old_string: 'unsaved', new_string: 'saved' })] },
      { calls: [call('shell', { command: 'npm test' }, 's1')] },
      { text: 'Done.' },
    ];
    const can = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
    const editor = await openEditor(script, { can, choose: (request) => kindOf(request, 'allow_once') });
    const file = join(editor.folder, 'sum.js');
    editor.buffers.set(file, '// unsaved\n');
    const { sessionId } = await editor.agent.request(asked.session.new, { cwd: editor.folder, mcpServers: [] });
    await editor.agent.request(asked.session.prompt, { sessionId, prompt: text('Save.') });
    expect(editor.buffers.get(file)).toBe('// saved\n');
    const [terminal] = editor.terminals;
    expect(terminal).toMatchObject({ command: '/usr/bin/env', cwd: editor.folder });
    expect(terminal?.args?.slice(-3)).toEqual(['/bin/bash', '-c', 'npm test']);
    expect(terminal?.args?.[0]).toBe('-i');
    expect(editor.updates).toContainEqual(
      expect.objectContaining({ toolCallId: 's1', content: [{ type: 'terminal', terminalId: 't1' }] }),
    );
    expect(editor.updates.findLast((update) => 'toolCallId' in update && update.toolCallId === 's1')).toMatchObject({
      status: 'completed',
      rawOutput: { output: expect.stringContaining('from the terminal') },
    });
  });

  it('puts the questions of a model to the person, in a form or one by one', async () => {
    const question = { question: 'Which?', header: 'Which', options: [{ label: 'A' }, { label: 'B' }] };
    const script = (): Script => [
      { calls: [call('AskUserQuestion', { questions: [question] }, 'q1')] },
      { text: 'Thanks.' },
    ];
    const ask = async (options: Parameters<typeof openEditor>[1]) => {
      const editor = await openEditor(script(), options);
      const { sessionId } = await editor.agent.request(asked.session.new, { cwd: editor.folder, mcpServers: [] });
      await editor.agent.request(asked.session.prompt, { sessionId, prompt: text('Go.') });
      return JSON.stringify(editor.updates);
    };
    expect(await ask({ can: { elicitation: { form: {} } }, fill: () => ({ q1: 'A', q1_own: 'neither' }) })).toContain(
      'neither',
    );
    expect(await ask({ choose: () => '1' })).toMatch(/B/);
  });

  it('answers whatever is wrong in one line', async () => {
    const editor = await openEditor([], { loggedOut: true });
    const { agent, folder } = editor;
    const refusal = async (method: string, params: object): Promise<string> => {
      const error: unknown = await agent.request(method, params).catch((thrown: unknown) => thrown);
      return error instanceof RequestError ? `${error.code} ${error.message}` : 'not refused';
    };
    const at = { cwd: folder, mcpServers: [] };
    expect(await refusal('session/new', at)).toBe('-32000 no model is configured.');
    expect(await refusal('authenticate', { methodId: 'key' })).toBe('-32000 no model is configured.');
    expect(await refusal('session/new', { ...at, cwd: 'here' })).toBe('-32602 here is not a path from the root.');
    expect(await refusal('session/new', { ...at, cwd: join(folder, 'none') })).toMatch(/^-32602 .* is not a folder: /);
    expect(await refusal('session/new', { ...at, mcpServers: [{ name: 1 }] })).toMatch(/^-32602 "mcpServers" must be/);
    expect(await refusal('session/prompt', { sessionId: 'none', prompt: [] })).toMatch(/^-32002 .*load it/);
    expect(await refusal('session/load', { ...at, sessionId: 'none' })).toMatch(/^-32002 /);
    expect(await refusal('session/list', { cursor: 'x' })).toMatch(/^-32602 "cursor"/);
    expect(await refusal('session/dance', {})).toMatch(/^-32601 /);
    editor.raw('not json');
    editor.raw('[]');
    editor.raw('{"jsonrpc":"2.0","id":99,"result":{}}');
    await expect.poll(() => editor.lines()).toContain('-32700');
    await expect.poll(() => editor.lines()).toContain('-32600');
  });
});
