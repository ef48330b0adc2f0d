import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { examineTrust, readSetup, trustRepository } from '@attractor/settings';
import { expect, it, onTestFinished } from 'vitest';
import type { Approve } from '../contract/session.ts';
import { call, createScriptedClient, type Script } from '../testing/index.ts';
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

/** A trusted repository whose server and whose skill's script changed since. */
async function makeWorld() {
  const home = makeFolder();
  const root = makeFolder({
    '.git/HEAD': '',
    '.mcp.json': JSON.stringify({ mcpServers: { own: { command: process.execPath, args: ['server.mjs'] } } }),
    '.claude/skills/look/SKILL.md': SKILL.join('\n'),
    'server.mjs': 'process.exit(1)',
    'scripts/look.sh': 'echo first; touch first\n',
  });
  const examined = examineTrust(root, { home });
  expect(examined.files.map((file) => file.path)).toEqual(expect.arrayContaining(['scripts/look.sh', 'server.mjs']));
  expect(await trustRepository(examined, { home })).toMatchObject({ ok: true });
  const setup = await readSetup({ home, userHome: makeFolder(), folder: root, env: process.env });
  writeFileSync(path.join(root, 'server.mjs'), SERVER);
  writeFileSync(path.join(root, 'scripts/look.sh'), 'echo second; touch second\n');
  const open = async (script: Script, approve?: Approve) => {
    const asked = { rules: ['Skill(look)'], ...(approve === undefined ? {} : { approve }) };
    const client = createScriptedClient(script);
    const opened = await openAgentSession({
      folder: root,
      client,
      provider: 'anthropic',
      sandbox: 'none',
      setup,
      ...asked,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    onTestFinished(opened.value.close);
    return opened.value;
  };
  return { root, open };
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
