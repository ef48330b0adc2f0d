import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createClient } from '@attractor/llm';
import { openSessions } from '@attractor/journal';
import { createPolicy } from '@attractor/policy';
import { readSetup } from '@attractor/settings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call, createMemoryEnvironment, createScriptedClient, failure, type Script } from '../testing/index.ts';
import { profileFor } from '../profiles/choose.ts';
import { createToolRegistry } from '../types/index.ts';
import type { AgentSession, AgentSessionOptions } from './agent-session.ts';
import { openAgentSession } from './open-agent-session.ts';

type Given = Partial<AgentSessionOptions> & { readonly script?: Script };

/** Options of a session on a folder of its own. */
function given({ script = [], ...more }: Given = {}) {
  const client = createScriptedClient(script);
  const options: AgentSessionOptions = {
    folder: makeFolder(),
    client,
    provider: 'anthropic',
    sandbox: 'none',
    ...more,
  };
  return { client, options };
}

async function open(more: Given = {}): Promise<{ session: AgentSession; folder: string; sent: () => string }> {
  const { client, options } = given(more);
  const opened = await openAgentSession(options);
  if (!opened.ok) throw new Error(opened.error.message);
  const session = opened.value;
  onTestFinished(session.close);
  return { session, folder: options.folder, sent: () => JSON.stringify(client.requests) };
}

describe('a session is not opened, and a value says why and what to do,', () => {
  it.each<readonly [string, Given, string, RegExp]>([
    ['in a folder that is not there', { folder: '/no/such/folder' }, 'refused', /is not a folder: make it/],
    ['with a rule that means nothing', { rules: ['Bash(('] }, 'refused', /Bash\(\(/],
    ['to go on with one that was kept nowhere', { resume: 'ses_1' }, 'invalid', /say in which `home`/],
  ])('%s', async (_what, more, code, message) => {
    const opened = await openAgentSession(given(more).options);
    expect(opened).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(message) } });
  });

  it('by a client that has no provider', async () => {
    const { provider: _none, ...options } = given({ client: createClient({}) }).options;
    const opened = await openAgentSession(options);
    expect(opened).toMatchObject({ ok: false, error: { code: 'configuration' } });
  });

  it('to go on with one that is not there, or that another one works in', async () => {
    const home = makeFolder();
    const { options } = given({ home });
    expect(await openAgentSession({ ...options, resume: 'ses_none' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    });
    const { session } = await open({ home });
    expect(await openAgentSession({ ...options, resume: session.id })).toMatchObject({
      ok: false,
      error: { code: 'locked' },
    });
  });

  it('while a limit of its setup can not be understood, or in a mode that this forbids; nothing is kept then', async () => {
    const home = makeFolder({ 'config.json': '{"permissions":{"disableBypassPermissionsMode":"disable"}}' });
    const state = makeFolder();
    const read = async (folder: string) =>
      readSetup({ home: folder, userHome: makeFolder(), env: {}, folder: makeFolder() });
    const { options } = given({ home: state });
    const bypass = { ...options, setup: await read(home), mode: 'bypassPermissions' as const };
    expect(await openAgentSession(bypass)).toMatchObject({
      ok: false,
      error: { message: /disable bypassPermissions/ },
    });
    const setup = await read(makeFolder({ 'config.json': '{"permissions":{"deny":"Bash"}}' }));
    expect(await openAgentSession({ ...options, setup })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('config.json:1') },
    });
    expect(openSessions({ home: state }).list()).toEqual([]);
  });

  it('with a model of Gemini while a rule for those can not be understood; others start and are told', async () => {
    const rule = '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "^rm"\ndecision = "deny"\n';
    const userHome = makeFolder({ '.gemini/policies/a.toml': rule });
    const setup = await readSetup({ home: makeFolder(), userHome, env: {}, folder: makeFolder() });
    const where = `${userHome}/.gemini/policies/a.toml:1: `;
    const home = makeFolder();
    const closed = await openAgentSession({ ...given({ setup, home }).options, provider: 'gemini' });
    expect(closed).toMatchObject({ ok: false, error: { message: expect.stringContaining(where) } });
    expect(openSessions({ home }).list()).toEqual([]);
    const { session } = await open({ setup });
    expect(session.notes).toEqual([expect.stringContaining(`not held to: ${where}`)]);
  });
});

describe('a session that is open', () => {
  it.each([
    [true, 6, { ok: true, value: { text: 'Afterwards.' } }],
    [false, 4, { ok: false, error: { code: 'context_length' } }],
  ])('is made shorter when its window is full, unless a person switched that off: %s', async (isOn, asked, last) => {
    const home = makeFolder({ 'config.json': JSON.stringify({ autoCompactEnabled: isOn }) });
    const setup = await readSetup({ home, userHome: makeFolder(), env: {}, folder: makeFolder() });
    const answers = [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }];
    const rest = [{ error: failure('context_length', 'too long') }, { text: 'In short.' }, { text: 'Afterwards.' }];
    const { client, options } = given({ setup, script: [...answers, ...rest] });
    const opened = await openAgentSession(options);
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(opened.value.close);
    for (const _ of answers) await opened.value.send('word '.repeat(10_000));
    expect(await opened.value.send('And now?')).toMatchObject(last);
    expect(client.requests).toHaveLength(asked);
  });

  it('answers an input with the last words of the model, or with what went wrong', async () => {
    const { session } = await open({
      script: [
        { calls: [call('glob', { pattern: '*' })] },
        { text: 'Nothing here.' },
        { error: failure('auth', 'No.') },
      ],
    });
    expect(await session.send('Look.')).toEqual({ ok: true, value: { text: 'Nothing here.' } });
    expect(await session.send('Again.')).toMatchObject({ ok: false, error: { code: 'auth', message: 'No.' } });
    expect(await session.send('And again.')).toMatchObject({ ok: false, error: { code: 'closed' } });
  });

  it('goes on with the model that it had, in another opening', async () => {
    const home = makeFolder();
    const first = await open({ home, model: 'claude-sonnet-4-5', script: [{ text: 'One.' }] });
    await first.session.send('Count.');
    await first.session.close();
    const { client, options } = given({ home, resume: first.session.id, script: [{ text: 'Two.' }] });
    const { provider: _any, ...rest } = options;
    const opened = await openAgentSession(rest);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(await opened.value.send('On.')).toEqual({ ok: true, value: { text: 'Two.' } });
    await opened.value.close();
    expect(client.requests).toMatchObject([{ model: 'claude-sonnet-4-5', provider: 'anthropic' }]);
    expect(JSON.stringify(client.requests)).toContain('Count.');
  });

  it('that was damaged meanwhile goes on without that, and says so', async () => {
    const home = makeFolder();
    const first = await open({ home, script: [{ text: 'One.' }, { text: 'Two.' }] });
    await first.session.send('Count.');
    await first.session.send('On.');
    await first.session.close();
    const [file = ''] = globSync(path.join(home, '**/*.jsonl'));
    const lines = readFileSync(file, 'utf8').split('\n');
    const hit = lines.findIndex((line) => line.includes('One.'));
    writeFileSync(
      file,
      lines.map((line, at) => (at === hit ? `${line.slice(0, 20)}#${line.slice(21)}` : line)).join('\n'),
    );
    const again = await open({ home, resume: first.session.id, script: [{ text: 'Three.' }] });
    expect(again.session.notes).toEqual([
      `Damaged and left out: line ${hit + 1} of the conversation's journal. All else is there.`,
    ]);
    expect(await again.session.send('And?')).toMatchObject({ ok: true });
    expect(again.sent()).toContain('Two.');
  });

  it('is denied what nobody is there to allow, asks where somebody is, and runs what a rule allows', async () => {
    const script = [{ calls: [call('shell', { command: 'echo x > made' })] }, { text: 'Done.' }];
    const denied = await open({ script });
    await denied.session.send('Make it.');
    expect(existsSync(path.join(denied.folder, 'made'))).toBe(false);
    const asked: string[] = [];
    const approved = await open({
      script,
      approve: async ({ toolName }) => {
        asked.push(toolName);
        return { decision: 'approve' };
      },
    });
    await approved.session.send('Make it.');
    expect([asked, existsSync(path.join(approved.folder, 'made'))]).toEqual([['shell'], true]);
    const ruled = await open({ script, rules: ['Bash(echo *)', 'Edit'] });
    await ruled.session.send('Make it.');
    expect(readFileSync(path.join(ruled.folder, 'made'), 'utf8')).toBe('x\n');
  });

  it('that only reads is offered no tool that changes anything', async () => {
    const { session } = await open({ readOnly: true });
    const names = new Set(session.tools().map(({ name }) => name));
    expect([names.has('read_file'), names.has('shell'), names.has('write_file')]).toEqual([true, false, false]);
    expect(session.mode).toBe('plan');
  });

  it('is judged by a policy of its host instead of rules', async () => {
    const folder = makeFolder();
    const policy = createPolicy({ rules: [], mode: 'plan', root: folder, home: '/h', sandboxed: true });
    const script = [{ calls: [call('write_file', { file_path: 'a', content: 'x' })] }, { text: 'Done.' }];
    const { session } = await open({ folder, policy, script, mode: 'acceptEdits' });
    await session.send('Write.');
    expect(existsSync(path.join(folder, 'a'))).toBe(false);
  });

  it('acts on an environment of its host, with tools of its host', async () => {
    const environment = createMemoryEnvironment({ files: { 'a.txt': 'one\n' } });
    const tool = {
      definition: { name: 'ping', description: 'Answers.', parameters: { type: 'object' } },
      executor: async () => 'pong',
      readOnly: true,
    };
    const calls = [call('ping'), call('write_file', { file_path: 'b.txt', content: 'two\n' })];
    const { session, sent } = await open({
      folder: '/somewhere/else',
      environment,
      tools: [tool],
      mode: 'acceptEdits',
      script: [{ calls }, { text: 'Done.' }],
    });
    await session.send('Go.');
    expect(environment.files()).toEqual({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    expect(sent()).toContain('pong');
  });

  it('works as a profile of its host says, which may answer to more names than it lists', async () => {
    const tool = (name: string) => ({
      definition: { name, description: '', parameters: { type: 'object' } },
      executor: async () => `${name} was called`,
      readOnly: true,
    });
    const tools = createToolRegistry([tool('ping')]);
    const { session, sent } = await open({
      profile: (...chosen) => ({
        ...profileFor(...chosen),
        systemText: 'You ping.',
        toolRegistry: { ...tools, get: (name) => tools.get(name) ?? tool(name) },
      }),
      script: [{ calls: [call('ping'), call('recall'), call('pang')] }, { text: 'Done.' }],
    });
    await session.send('Go.');
    for (const words of ['You ping.', 'ping was called', 'recall was called', 'pang was called'])
      expect(sent()).toContain(words);
    expect(session.tools().some(({ name }) => name === 'pang')).toBe(false);
  });

  it('has the hooks, skills and documents of its setup, and writes out what a person calls by name', async () => {
    const userHome = makeFolder({
      '.claude/CLAUDE.md': 'I like short sentences.\n',
      '.claude/commands/greet.md': 'Say hello to $ARGUMENTS.\n',
      '.claude/settings.json': JSON.stringify({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo the person says hello' }] }] },
      }),
    });
    const [home, folder] = [makeFolder(), makeFolder()];
    const setup = await readSetup({ home, userHome, folder, env: { PATH: process.env['PATH'], HOME: userHome } });
    const { session, sent } = await open({ folder, setup, script: [{ text: 'Hello.' }, { text: 'As it is.' }] });
    expect(session.names.commands).toEqual(['greet']);
    await session.send('/greet Ada');
    for (const word of ['I like short sentences.', 'the person says hello', 'Say hello to Ada.'])
      expect(sent()).toContain(word);
    await session.submit('/greet word for word');
    expect(sent()).toContain('/greet word for word');
  });

  it('is closed by an interrupt, which ends what runs, and can be closed again and again', async () => {
    const { session, folder } = await open({
      home: makeFolder(),
      script: [{ calls: [call('shell', { command: 'touch begun; sleep 60' })] }],
      rules: ['Bash'],
    });
    const reply = session.send('Wait.');
    for await (const event of session.events()) if (event.kind === 'TOOL_CALL_START') break;
    await session.interrupt();
    expect(await reply).toMatchObject({ ok: false, error: { code: 'closed' } });
    expect(session.state()).toBe('CLOSED');
    await Promise.all([session.close(), session.close()]);
    expect(existsSync(folder)).toBe(true);
  });
});

describe('hooks that ask a model', () => {
  const guarded = (kind: 'prompt' | 'agent', script: Script) => {
    const handlers = [{ kind, prompt: 'May it? $ARGUMENTS', model: 'small' }] as const;
    return open({ script, mode: 'acceptEdits', hooks: [{ event: 'PreToolUse', matcher: 'Write', handlers }] });
  };
  const write = { calls: [call('write_file', { file_path: 'a.txt', content: 'x' })] };

  it.each([
    ['{"ok": false, "reason": "not today"}', false],
    ['Surely: {"ok": true}', true],
    ['I can not tell.', true],
  ])('and hear %s: the call runs %s', async (answer, runs) => {
    const { session, folder, sent } = await guarded('prompt', [write, { text: answer }, { text: 'Done.' }]);
    await session.send('Go.');
    expect(existsSync(path.join(folder, 'a.txt'))).toBe(runs);
    expect(sent()).toContain('"model":"small"');
    expect(sent().includes('not today')).toBe(!runs);
  });

  it('or an agent, which looks before it decides and is asked about nothing it does itself', async () => {
    const look = { calls: [call('glob', { pattern: '*' })] };
    const script = [write, look, { text: '{"ok": false, "reason": "seen"}' }, { text: 'Done.' }];
    const { session, folder, sent } = await guarded('agent', script);
    await session.send('Go.');
    expect(existsSync(path.join(folder, 'a.txt'))).toBe(false);
    expect(sent()).toContain('seen');
  });
});

it('hooks in the head of a skill count once it was used, those of an agent in that agent alone', async () => {
  const head = (name: string, reason: string): string =>
    `---\nname: ${name}\ndescription: d\nhooks:\n  PreToolUse:\n    - matcher: Write\n      hooks:\n        - type: command\n          command: echo ${reason} >&2; exit 2\n---\nText.`;
  const userHome = makeFolder({
    '.claude/skills/careful/SKILL.md': head('careful', 'of-skill'),
    '.claude/agents/strict.md': head('strict', 'of-agent'),
  });
  const setup = await readSetup({ home: makeFolder(), userHome, env: {}, folder: makeFolder() });
  expect(setup.problems).toEqual([]);
  const write = (name: string) => ({ calls: [call('write_file', { file_path: name, content: 'x' })] });
  const start = { calls: [call('Task', { description: 'd', prompt: 'p', subagent_type: 'strict' })] };
  const script = [write('a'), start, write('b'), { text: 'Child.' }, { calls: [call('Skill', { skill: 'careful' })] }];
  const { session, folder, sent } = await open({
    script: [...script, write('c'), { text: 'Done.' }],
    mode: 'acceptEdits',
    setup,
  });
  await session.send('Go.');
  expect(['a', 'b', 'c'].map((name) => existsSync(path.join(folder, name)))).toEqual([true, false, false]);
  expect([sent().includes('of-agent'), sent().includes('of-skill')]).toEqual([true, true]);
});
