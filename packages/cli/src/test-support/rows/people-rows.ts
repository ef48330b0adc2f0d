import { EXIT } from '@attractor/console';
import { must, type Row } from '../command-world.ts';

const PERSON = { type: 'user', name: 'Ada' } as const;

/** Who may use the server, by which keys, and what they did. */
export const PEOPLE_ROWS: ReadonlyArray<Row> = [
  {
    command: 'users add',
    cases: async ({ project }) => [
      { args: ['ada', '--role', 'admin', '--json'], exit: EXIT.done, keys: ['id', 'name', 'role', 'projects'] },
      { args: ['ben', '--role', 'operator', '--only', project.name], exit: EXIT.done, says: 'sign-in --user ben' },
      { args: ['Ada'], exit: EXIT.refused, says: 'users edit ada' },
      { args: ['owner'], exit: EXIT.refused, says: 'choose another' },
      { args: ['cleo', '--only', 'nowhere'], exit: EXIT.notFound, says: 'nowhere' },
      { args: ['cleo', '--role', 'king'], exit: EXIT.usage, says: 'Allowed choices' },
    ],
  },
  {
    command: 'users',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['name', 'role'] }],
  },
  {
    command: 'users list',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['name', 'role'] }],
  },
  {
    command: 'users edit',
    cases: async () => [
      { args: ['ben', '--every-project', '--role', 'viewer', '--json'], exit: EXIT.done, says: '"projects":null' },
      { args: ['ben'], exit: EXIT.usage, says: '--sign-out' },
      { args: ['nobody', '--sign-out'], exit: EXIT.notFound, says: 'users list' },
    ],
  },
  {
    command: 'users remove',
    cases: async () => [
      { args: ['ben', '--json'], exit: EXIT.done, keys: ['name'] },
      { args: ['ben'], exit: EXIT.notFound, says: 'ben' },
    ],
  },
  {
    command: 'keys add',
    cases: async () => [
      { args: ['ci', '--role', 'operator', '--days', '90', '--json'], exit: EXIT.done, keys: ['key', 'secret'] },
      { args: ['ada-laptop', '--user', 'ada'], exit: EXIT.done, says: 'atk_' },
      { args: ['ci', '--user', 'nobody'], exit: EXIT.notFound, says: 'nobody' },
      { args: ['ci', '--days', '0'], exit: EXIT.usage, says: '--days' },
    ],
  },
  {
    command: 'keys',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['prefix', 'user'] }],
  },
  {
    command: 'keys list',
    cases: async () => [{ args: ['--json'], exit: EXIT.done, keys: ['prefix', 'user', 'lastUsedAt'] }],
  },
  {
    command: 'keys revoke',
    cases: async ({ workflow }) => {
      const { key } = must(await workflow.addApiKey({ name: 'old' }, PERSON));
      return [
        { args: [key.prefix, '--json'], exit: EXIT.done, keys: ['prefix', 'revokedAt'] },
        { args: ['atk_none'], exit: EXIT.notFound, says: 'keys list' },
      ];
    },
  },
  {
    command: 'audit',
    cases: async () => [
      { args: ['--json'], exit: EXIT.done, keys: ['at', 'person', 'act', 'summary'] },
      { args: ['--act', 'user.added'], exit: EXIT.done, says: 'User ada: admin of every project' },
      { args: ['--since', 'yesterday'], exit: EXIT.refused, says: 'since' },
    ],
  },
];
