import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { examineTrust, readSetup, trustRepository } from '@attractor/settings';
import { expect, it, onTestFinished } from 'vitest';
import type { Approve } from '../contract/session.ts';
import { call, createScriptedClient, type Script } from '../testing/index.ts';
import type { AgentSessionOptions } from './agent-session.ts';
import { openAgentSession } from './open-agent-session.ts';

/** A server of one tool. */
const SERVER = `
import readline from 'node:readline';
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'go', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'went' }] }),
};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: ANSWERS[method]?.(params) ?? {} }));
});
`;

const SKILL = [
  '---',
  'description: Looks.',
  'allowed-tools: Bash(sh ./scripts/look.sh)',
  '---',
  'Seen: !`sh ./scripts/look.sh`',
];

const TRUSTED = { 'server.mjs': 'process.exit(1)', 'scripts/look.sh': 'echo first; touch first\n' };

/** A trusted repository whose server and whose skill's script changed since. */
async function makeWorld() {
  const home = makeFolder();
  const root = makeFolder({
    '.git/HEAD': '',
    '.mcp.json': JSON.stringify({ mcpServers: { own: { command: process.execPath, args: ['server.mjs'] } } }),
    '.claude/skills/look/SKILL.md': SKILL.join('\n'),
    ...TRUSTED,
  });
  const examined = examineTrust(root, { home });
  expect(examined.files.map((file) => file.path)).toEqual(expect.arrayContaining(['scripts/look.sh', 'server.mjs']));
  expect(await trustRepository(examined, { home })).toMatchObject({ ok: true });
  const setup = await readSetup({ home, userHome: makeFolder(), folder: root, env: process.env });
  writeFileSync(path.join(root, 'server.mjs'), SERVER);
  writeFileSync(path.join(root, 'scripts/look.sh'), 'echo second; touch second\n');
  const readAgain = () => readSetup({ home, userHome: makeFolder(), folder: root, env: process.env });
  const open = async (script: Script, approve?: Approve, own?: Pick<AgentSessionOptions, 'setup' | 'mode'>) => {
    const asked = { rules: ['Skill(look)'], ...(approve === undefined ? {} : { approve }) };
    const client = createScriptedClient(script);
    const opened = await openAgentSession({
      folder: root,
      client,
      provider: 'anthropic',
      sandbox: 'none',
      setup,
      ...asked,
      ...own,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(opened.value.close);
    return opened.value;
  };
  return { root, open, readAgain };
}

const said = (session: Awaited<ReturnType<Awaited<ReturnType<typeof makeWorld>>['open']>>): string =>
  session
    .history()
    .flatMap((turn) => (turn.kind === 'tool_results' ? turn.results.map(({ output }) => output) : []))
    .join('\n');

const LOOK = { calls: [call('Skill', { skill: 'look' })] };
const DONE = { text: 'Done.' };

it('a changed server that nobody knows the tools of, and a changed script of a skill, are asked about once and run if a person lets them', async () => {
  const { root, open } = await makeWorld();
  const asked: string[] = [];
  const session = await open([{ calls: [call('mcp__own__go')] }, LOOK, DONE, LOOK, DONE], async (request) => {
    if (request.toolName === 'trust') asked.push(`${request.reason}\n${request.shown}`);
    return { decision: 'approve' };
  });
  expect(session.notes.join()).toContain('The MCP server own was not started: server.mjs changed since');
  await session.send('go');
  expect(asked).toEqual([
    expect.stringMatching(
      /^server\.mjs changed since a person trusted it, and the MCP server own would run it\n[^]*readline/,
    ),
    expect.stringMatching(/^scripts\/look\.sh changed .*, and the skill look would run it\n[^]*\+echo second/),
  ]);
  expect(said(session)).toMatch(/went[^]*Seen: second/);
  await session.send('/look');
  expect([asked.length, existsSync(path.join(root, 'first'))]).toEqual([2, false]);
});

it('they are left out where a person says no, which is asked once, and where nobody can be asked', async () => {
  for (const approve of [undefined, async () => ({ decision: 'reject' as const })]) {
    const { root, open } = await makeWorld();
    let trusts = 0;
    const counted: Approve | undefined =
      approve && (async (request) => (request.toolName === 'trust' && trusts++, approve()));
    const session = await open([LOOK, DONE, LOOK, DONE], counted);
    await session.send('go');
    await session.send('go on');
    expect(said(session)).toContain('trust it with `attractor trust grant`');
    expect(session.tools().map(({ name }) => name)).not.toContain('mcp__own__go');
    expect([trusts, existsSync(path.join(root, 'second'))]).toEqual([approve === undefined ? 0 : 2, false]);
  }
});

it('a skill that the model writes is used neither in this session nor in the next, until a person trusts it', async () => {
  const { root, open, readAgain } = await makeWorld();
  const mine = '---\ndescription: Mine.\nallowed-tools: Bash(touch *)\n---\nOf the model: !`touch evil`\n';
  const skill = (name: string) => `.claude/skills/${name}/SKILL.md`;
  const calls = [
    call('write_file', { file_path: skill('look'), content: mine }),
    call('edit_file', { file_path: skill('look'), old_string: 'Seen', new_string: 'Edited' }),
    call('shell', { command: `cp mine.md ${skill('look')}` }),
    // A program of which nobody can tell what it writes.
    call('shell', { command: `mkdir -p made && cp mine.md made/SKILL.md && sh ./put.sh` }),
  ];
  writeFileSync(path.join(root, 'server.mjs'), TRUSTED['server.mjs']);
  writeFileSync(path.join(root, 'scripts/look.sh'), TRUSTED['scripts/look.sh']);
  expect((await readAgain()).unused).toEqual([]);
  writeFileSync(path.join(root, 'mine.md'), mine);
  writeFileSync(path.join(root, 'put.sh'), 'cp made/SKILL.md .claude/skills/look; mv made .claude/skills/new\n');
  const uses = [{ calls: [call('Skill', { skill: 'look' }), call('Skill', { skill: 'new' })] }, DONE];
  const approve: Approve = async () => ({ decision: 'approve' });
  const session = await open([{ calls }, ...uses], approve, { mode: 'acceptEdits' });
  await session.send('go');
  expect(existsSync(path.join(root, skill('new')))).toBe(true);
  expect(said(session)).toMatch(/Seen: first[^]*There is no skill new/);
  const setup = await readAgain();
  expect(setup.unused.join()).toMatch(/The configuration of this repository .* changed .* see `attractor trust show`/);
  const next = await open(uses, approve, { setup });
  await next.send('go');
  expect(said(next)).not.toContain('Of the model');
  expect(existsSync(path.join(root, 'evil'))).toBe(false);
});
