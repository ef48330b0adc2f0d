import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '@attractor/console';
import type { Case, Row } from '../command-world.ts';

/** Commands that need no records. Their work is tested beside them; here, how they end. */
function row(command: string, ...cases: ReadonlyArray<Case>): Row {
  return { command, cases: async () => cases };
}

const NO_SESSION: Case = { args: ['ses_none', '--json'], exit: EXIT.notFound, says: 'ses_none' };

export const OLDER_ROWS: ReadonlyArray<Row> = [
  row('demo', { args: ['--port', 'x'], exit: EXIT.usage }),
  row('run', { args: [], exit: EXIT.usage, says: 'say what should be done' }),
  row(
    'serve',
    { args: ['--port', '70000'], exit: EXIT.usage, says: '--port' },
    { args: ['--port', '0'], exit: EXIT.refused, says: 'is already running, at http://127.0.0.1:' },
  ),
  row(
    'sign-in',
    { args: ['--json'], exit: EXIT.done, keys: ['url'], says: '/#key=' },
    { args: ['tsk_none'], exit: EXIT.notFound, says: 'tsk_none' },
    { args: ['--user', 'nobody'], exit: EXIT.notFound, says: 'users add nobody' },
  ),
  row('api', { args: ['--json'], exit: EXIT.done, keys: ['openapi', 'paths'] }),
  row('llm stream', { args: [], stdin: 'no json', exit: EXIT.usage }),
  row('simulate', { args: [], exit: EXIT.usage, says: '--script' }),
  row('tool', { args: [], exit: EXIT.usage, says: '--cwd' }),
  row('debug truncate', { args: [], exit: EXIT.usage, says: '--tool' }),
  row('debug loop', { args: ['--window', '3'], stdin: '[]', exit: EXIT.done, says: '{"loop":false}' }),
  row('acp', { args: ['here'], exit: EXIT.usage, says: 'too many arguments' }),
  row('resume', { args: ['a', 'b', 'c'], exit: EXIT.usage, says: 'too many arguments' }),
  row('sessions list', { args: ['--json'], exit: EXIT.done }),
  row('sessions search', { args: ['nothing', '--json'], exit: EXIT.done }, { args: [], exit: EXIT.usage }),
  row('sessions show', NO_SESSION),
  row('sessions fork', NO_SESSION),
  row('sessions rename', { args: ['ses_none', 'x', '--json'], exit: EXIT.notFound, says: 'ses_none' }),
  row('sessions rewind', { args: ['ses_none', '--turn', '1', '--json'], exit: EXIT.notFound, says: 'ses_none' }),
  row('sessions export', { args: ['ses_none'], exit: EXIT.notFound, says: 'ses_none' }),
  row('sessions import', { args: ['--json'], exit: EXIT.usage, says: '--from' }),
  row('sessions delete', NO_SESSION),
  row('doctor', { args: ['extra', '--json'], exit: EXIT.usage }),
  row('config show', { args: ['--json'], exit: EXIT.done }),
  {
    command: 'import settings',
    cases: async ({ folder }) => {
      const there = join(folder, 'of-cursor');
      mkdirSync(join(there, '.cursor'), { recursive: true });
      writeFileSync(join(there, '.cursor', 'mcp.json'), '{}');
      return [
        {
          args: ['--cwd', there, '--json'],
          exit: EXIT.done,
          keys: ['agent', 'key', 'file', 'line', 'state', 'reason'],
        },
        { args: ['--from', 'nobody'], exit: EXIT.usage, says: 'expected claude, codex' },
        { args: ['--cwd', join(folder, 'nowhere')], exit: EXIT.notFound, says: 'is not a folder' },
      ];
    },
  },
  row('models list', { args: ['--provider', 'anthropic', '--json'], exit: EXIT.done, keys: ['id', 'contextWindow'] }),
  {
    command: 'models refresh',
    cases: async ({ folder }) => {
      const [good, bad] = [join(folder, 'good.json'), join(folder, 'bad.json')];
      writeFileSync(good, JSON.stringify({ models: [{ id: 'mine', provider: 'openai', contextWindow: 9 }] }));
      writeFileSync(bad, '{ "models": [{ "id": "mine", "contextWindow": "nine" }] }');
      return [
        { args: [], exit: EXIT.usage, says: 'give the place of the table' },
        { args: ['--from', join(folder, 'none.json')], exit: EXIT.notFound, says: 'Nothing was changed' },
        { args: ['--from', bad], exit: EXIT.refused, says: 'contextWindow must be a number of tokens' },
        { args: ['--from', 'http://127.0.0.1:9/x.json'], exit: EXIT.failed, says: "can't read" },
        { args: ['--from', good, '--json'], exit: EXIT.done, keys: ['from', 'models', 'file'] },
      ];
    },
  },
  row('models reset', { args: ['--json'], exit: EXIT.done, keys: ['wasThere'] }),
  {
    command: 'trust show',
    cases: async ({ repository }) => [{ args: ['--cwd', repository, '--json'], exit: EXIT.done }],
  },
  {
    command: 'trust grant',
    cases: async ({ repository }) => [
      { args: ['--cwd', repository, '--yes', '--hash', 'other', '--json'], exit: EXIT.refused },
      { args: ['--cwd', repository, '--yes', '--json'], exit: EXIT.done },
    ],
  },
  {
    command: 'trust revoke',
    cases: async ({ repository }) => [{ args: ['--cwd', repository, '--json'], exit: EXIT.done }],
  },
  row('exec', { args: ['--json'], exit: EXIT.usage }),
  row('codex', { args: ['login'], exit: EXIT.usage, says: 'only `codex exec`' }),
  row('gemini', { args: ['mcp', 'list'], exit: EXIT.usage, says: 'gemini mcp' }),
  row('mcp serve', { args: [], exit: EXIT.usage }),
  row('mcp tools', { args: [], exit: EXIT.usage, says: '--stdio' }),
  row('mcp call', { args: [], exit: EXIT.usage }),
  row('mcp login', { args: [], exit: EXIT.usage }),
  row('mcp conformance', { args: [], exit: EXIT.usage }),
  row('db archive', { args: ['--older-than', 'x', '--json'], exit: EXIT.usage, says: 'a number of days' }),
  row('db migrate', { args: ['--json'], exit: EXIT.usage, says: '--to' }),
  {
    command: 'db backup',
    cases: async ({ folder }) => [
      { args: [join(folder, `backup-${Date.now()}.db`), '--json'], exit: EXIT.done, keys: ['file', 'bytes'] },
    ],
  },
  row('db restore', { args: ['none.db', '--json'], exit: EXIT.refused, says: '--yes' }),
  row('file-tools', { args: [], exit: EXIT.usage }),
  row('policy check', { args: ['--batch'], stdin: '{"command":"ls"}\n', exit: EXIT.done, says: '"decision"' }),
  row('policy explain', { args: [], exit: EXIT.usage, says: 'missing required argument' }),
  row(
    'completion',
    { args: ['bash'], exit: EXIT.done, says: 'complete -F _attractor attractor' },
    { args: ['zsh'], exit: EXIT.done, says: '#compdef attractor' },
    { args: ['fish'], exit: EXIT.done, says: 'complete -c attractor' },
    { args: ['tcsh'], exit: EXIT.usage, says: 'Allowed choices' },
  ),
];
