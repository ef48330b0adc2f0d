import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods, type NewSessionRequest } from '@agentclientprotocol/sdk/unstable';
import { call, type Script } from '@attractor/agent/testing';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { openEditor, type WorldOptions } from '../test-support/editor-world.ts';

const { agent: asked } = methods;
const PROMPT = [{ type: 'text' as const, text: 'Go.' }];

const allows: WorldOptions['choose'] = ({ options }) =>
  options.find(({ kind }) => kind === 'allow_once')?.optionId ?? null;

async function stopOf(script: Script, config: object = {}): Promise<unknown> {
  const home = makeFolder({ 'config.json': JSON.stringify(config) });
  const { agent, folder } = await openEditor(script, { home });
  const { sessionId } = await agent.request(asked.session.new, { cwd: folder, mcpServers: [] });
  return agent.request(asked.session.prompt, { sessionId, prompt: PROMPT });
}

describe('a turn', () => {
  it.each([
    ['end_turn', [{ text: 'Done.' }], {}],
    ['max_tokens', [{ text: 'And th', finish: 'length' }], {}],
    [
      'refusal',
      [{ text: 'never' }],
      { hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }] } },
    ],
  ] as const)('that ends by %s says so', async (reason, script, config) => {
    expect(await stopOf(script, config)).toMatchObject({ stopReason: reason });
  });
});

/** A server with one tool, which says what it was started with. */
const SERVER = `let text='';process.stdin.on('data',(d)=>{text+=d;for(let i;(i=text.indexOf('\\n'))>=0;text=text.slice(i+1)){const m=JSON.parse(text.slice(0,i));if(m.id===undefined)continue;const result=m.method==='initialize'?{protocolVersion:m.params.protocolVersion,capabilities:{tools:{}},serverInfo:{name:'s',version:'1'}}:m.method==='tools/list'?{tools:[{name:'hi',inputSchema:{type:'object'}}]}:{content:[{type:'text',text:'hello '+process.env.WHO}]};process.stdout.write(JSON.stringify({jsonrpc:'2.0',id:m.id,result})+'\\n')}})`;

it('an editor gives a conversation servers and further folders, and hears of every choice', async () => {
  const other = makeFolder();
  const server = join(makeFolder(), 'server.cjs');
  writeFileSync(server, SERVER);
  const script: Script = [
    { calls: [call('mcp__theirs__hi'), call('write_file', { file_path: join(other, 'made.txt'), content: 'x' })] },
    { text: 'Done.' },
  ];
  const { agent, folder, updates } = await openEditor(script, { choose: allows });
  const theirs = { name: 'theirs', command: process.execPath, args: [server], env: [{ name: 'WHO', value: 'editor' }] };
  const at: NewSessionRequest = { cwd: folder, mcpServers: [theirs], additionalDirectories: [other] };
  const { sessionId } = await agent.request(asked.session.new, at);
  await agent.request(asked.session.prompt, { sessionId, prompt: PROMPT });
  expect(JSON.stringify(updates)).toContain('hello editor');
  expect(existsSync(join(other, 'made.txt'))).toBe(true);
  await agent.request(asked.session.setMode, { sessionId, modeId: 'plan' });
  await expect
    .poll(() => updates)
    .toContainEqual(
      expect.objectContaining({
        sessionUpdate: 'config_option_update',
        configOptions: expect.arrayContaining([expect.objectContaining({ id: 'mode', currentValue: 'plan' })]),
      }),
    );
  const inside = { cwd: folder, mcpServers: [{ type: 'acp', name: 'x', id: 'y' }] };
  await expect(agent.request('session/new', inside)).rejects.toMatchObject({ code: -32602 });
});
