import { realpathSync } from 'node:fs';
import { isRecord } from '@attractor/base';
import { buildPathCase, type PathCase, pathCases } from '@attractor/confine/testing';
import { expect, it, vi } from 'vitest';
import type { AgentRunOptions } from '../agent.ts';
import { createCallJudge } from '../program/judge-calls.ts';
import { makeRun } from '../testing/index.ts';
import { createAcpClient } from './client.ts';

const clientOf = (options: AgentRunOptions) =>
  createAcpClient({ options, judge: createCallJudge(options), toolOf: () => undefined });

/** What an agent asks of our file system for each kind of operation. */
const METHODS: Readonly<Record<string, string>> = {
  read: 'fs/read_text_file',
  write: 'fs/write_text_file',
  create: 'fs/write_text_file',
  'patch-add': 'fs/write_text_file',
};

async function problemOf(one: PathCase): Promise<string | null> {
  const world = buildPathCase(one);
  const { options } = await makeRun({ projectPath: realpathSync(world.root) });
  const client = clientOf(options);
  try {
    const before = JSON.stringify(world.outside());
    const answered = await client.answer(METHODS[one.op] ?? '', { path: world.asked, content: 'x' }).then(
      (answer) => JSON.stringify(answer),
      () => null,
    );
    if (JSON.stringify(world.outside()) !== before) return 'changed what is outside';
    return (answered !== null) === one.allowed || one.acceptEither !== undefined ? null : `answered ${answered}`;
  } finally {
    await client.close();
    world.remove();
  }
}

it('reads and writes no file for an agent that any case of the list keeps from it', async () => {
  const cases = pathCases('paths').filter(
    (one) => one.op in METHODS && one.during === undefined && one.cwd === undefined,
  );
  const wrong: string[] = [];
  for (const one of cases) {
    const problem = await problemOf(one);
    if (problem !== null) wrong.push(`${one.id} ${one.op} ${one.path}: ${problem} (${one.why})`);
  }
  expect(cases.length).toBeGreaterThan(40);
  expect(wrong).toEqual([]);
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
