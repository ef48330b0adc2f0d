import { realpathSync } from 'node:fs';
import { isRecord } from '@attractor/base';
import { buildPathCase, type PathCase, pathCases, type PathWorld } from '@attractor/confine/testing';
import { expect, it, vi } from 'vitest';
import type { AgentRunOptions } from '../agent.ts';
import { type CallJudge, createCallJudge } from '../program/judge-calls.ts';
import { makeRun } from '../testing/index.ts';
import { createAcpClient } from './client.ts';

const clientOf = (options: AgentRunOptions) =>
  createAcpClient({ options, judge: createCallJudge(options), toolOf: () => undefined });

type Asked = readonly [method: string, params: Readonly<Record<string, unknown>>];

const read = (path: string): Asked => ['fs/read_text_file', { path }];
const write = (path: string): Asked => ['fs/write_text_file', { path, content: 'x' }];

/** The protocol has no call for these: the agent does it itself, and asks first. */
const ask = (kind: string, ...files: ReadonlyArray<string>): Asked => [
  'session/request_permission',
  { toolCall: { toolCallId: '1', kind, title: kind, locations: files.map((path) => ({ path })) }, options: YES_OR_NO },
];

const YES_OR_NO = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

/** An agent has no addresses of a server: it asks for the file that one names, decoded once. */
const named = (address: string): string => decodeURIComponent(address.replace(/^\/files\?path=|^\/static\//, ''));

/** What an agent asks of its host for each kind of operation. An archive is unpacked, and a temporary file made, by writing files. */
const ASKED: Readonly<Record<string, (file: string, source: string) => Asked>> = {
  read,
  write,
  create: write,
  'patch-add': write,
  extract: write,
  temp: write,
  'http-get': (address) => read(named(address)),
  list: (folder) => ask('search', folder),
  grant: (folder) => ask('search', folder),
  delete: (file) => ask('delete', file),
  rename: (file, source) => ask('move', source, file),
  'patch-move': (file, source) => ask('move', source, file),
};

/** Only a command has a folder of its own. */
function askedFor(one: PathCase, { asked, source, cwd }: PathWorld): Asked {
  if (cwd !== null) return ['terminal/create', { command: `echo changed > '${asked}'`, cwd }];
  const found = ASKED[one.op]?.(asked, source);
  if (found === undefined) throw new Error(`Nobody knows what an agent asks for to ${one.op}.`);
  return found;
}

/** What happens at the same time happens between the guard's yes and the opening of the file. */
function swapping(judge: CallJudge, world: PathWorld): CallJudge {
  const decide: CallJudge['decide'] = async (call) => {
    const answer = await judge.decide(call);
    world.swap();
    return answer;
  };
  return { ...judge, decide };
}

async function answered(one: PathCase): Promise<string> {
  const world = buildPathCase(one);
  const { options } = await makeRun({ projectPath: realpathSync(world.root) });
  const judge = swapping(createCallJudge(options), world);
  const client = createAcpClient({ options, judge, toolOf: () => undefined });
  try {
    const before = world.outside();
    const isDone = await client.answer(...askedFor(one, world)).then(
      (answer) => !JSON.stringify(answer).includes('"optionId":"no"'),
      () => false,
    );
    expect([one.id, world.outside()]).toEqual([one.id, before]);
    return isDone ? 'done' : 'refused';
  } finally {
    await client.close();
    world.remove();
  }
}

it('does nothing for an agent that any case of the list keeps from it, also if a file is swapped after the guard saw it', async () => {
  const answers: Record<string, string> = {};
  for (const one of pathCases('paths')) answers[`${one.id}: ${one.why}`] = await answered(one);
  const expected = pathCases('paths').map((one) => {
    const name = `${one.id}: ${one.why}`;
    const either = one.acceptEither === undefined ? null : answers[name];
    return [name, either ?? (one.allowed ? 'done' : 'refused')] as const;
  });
  expect(answers).toEqual(Object.fromEntries(expected));
  expect(Object.keys(answers)).toHaveLength(69);
});

it('a terminal of the run sees none of the host’s variables', async () => {
  vi.stubEnv('HOST_SECRET', 'correct-horse');
  const { options } = await makeRun();
  const client = clientOf(options);
  const made = await client.answer('terminal/create', { command: 'env' });
  const terminalId = isRecord(made) ? made['terminalId'] : null;
  await client.answer('terminal/wait_for_exit', { terminalId });
  const shown = JSON.stringify(await client.answer('terminal/output', { terminalId }));
  await client.close();
  vi.unstubAllEnvs();
  expect(shown).toContain('PATH=');
  expect(shown).not.toMatch(/HOST_SECRET|correct-horse/);
});

it('a command that is called like a tool of the run is a command', async () => {
  const { options, heard } = await makeRun({ config: { permissionMode: 'default' } });
  const client = clientOf(options);
  const allow = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }];
  const ask = (toolCall: object) => client.answer('session/request_permission', { toolCall, options: allow });
  const title = 'npm publish # attractor_report_outcome';
  await ask({ toolCallId: '1', kind: 'execute', title, rawInput: { command: title } });
  await ask({ toolCallId: '2', kind: 'other', title: `${title} attractor report_outcome` });
  expect(heard.asked).toHaveLength(2);
  expect(await ask({ toolCallId: '3', kind: 'other', title: 'attractor_report_outcome' })).toEqual({
    outcome: { outcome: 'selected', optionId: 'yes' },
  });
  expect(heard.asked).toHaveLength(2);
  await client.close();
});
