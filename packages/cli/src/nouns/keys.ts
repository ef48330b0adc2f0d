import { defined } from '@attractor/base';
import type { ApiKey } from '@attractor/api';
import { ROLES } from '@attractor/facts';
import { CommandFailure, EXIT, type Style } from '@attractor/console';
import { moment, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Verb, verb } from '../verbs/verb.ts';
import { chosenProjects, ONLY, reachOf, roleOf } from './users.ts';

const LIST_KEYS = verb({
  name: 'list',
  summary: 'list API keys: whose they are, and when each was last used',
  examples: ['keys list', 'keys list --json'],
  call: ({ client }) => client.keys.list(),
  show: (keys, { style }) => keyTable(keys, style),
  ids: (keys) => keys.map(({ prefix }) => prefix),
});

const KEY_VERBS: ReadonlyArray<Verb> = [
  LIST_KEYS,
  verb({
    name: 'add',
    alias: 'create',
    summary: 'make an API key for a program; its secret is shown once',
    arguments: [{ name: '<name>', about: 'what it is for' }],
    flags: [
      { flag: '--user <name>', about: 'for whom it acts (default: the owner)' },
      { flag: '--role <role>', about: 'at most this role (default: that of the user)', choices: ROLES },
      ONLY,
      { flag: '--days <n>', about: 'expires after so many days (default: never)', number: true },
    ],
    notes: 'Programs send it as a bearer token; commands take it from ATTRACTOR_TOKEN, with --server.',
    examples: ['keys add ci --role operator --only slugs --days 90', 'keys add dashboard --user ada --role viewer'],
    call: async (call) => {
      const { flags } = call;
      const [user, role, projects] = [flags.text('user'), roleOf(call), await chosenProjects(call)];
      const expiresAt = expiryOf(flags.number('days'));
      return call.client.keys.add({ name: call.arg(0), ...defined({ user, role, projects, expiresAt }) });
    },
    show: ({ key, secret }, { style }) => [
      ...keyTable([key], style),
      'Its secret, which is shown only this once:',
      secret,
    ],
    ids: ({ secret }) => [secret],
  }),
  verb({
    name: 'revoke',
    alias: 'remove',
    summary: 'revoke an API key, at once',
    arguments: [{ name: '<prefix>', about: 'the beginning of the key, as `keys list` shows it' }],
    examples: ['keys revoke atk_3f9a2c1d7b60'],
    call: ({ client, arg }) => client.keys.revoke(arg(0)),
    show: ({ prefix, name }) => [`Revoked ${prefix} (${name}).`],
    ids: ({ prefix }) => [prefix],
  }),
];

const DAY_MS = 24 * 60 * 60 * 1000;

function expiryOf(days: number | undefined): string | undefined {
  if (days === undefined) return undefined;
  if (days < 1 || days > 36_500) throw new CommandFailure(`--days: expected 1 to 36500, not ${days}`, EXIT.usage);
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

function keyTable(keys: ReadonlyArray<ApiKey>, style: Style): ReadonlyArray<string> {
  return table(keys, {
    style,
    none: 'No API keys: attractor keys add NAME --role operator',
    columns: [
      { head: 'KEY', cell: ({ prefix }) => prefix, paint: style.accent },
      { head: 'NAME', cell: ({ name }) => name },
      { head: 'ACTS FOR', cell: ({ user }) => user },
      { head: 'ROLE', cell: ({ role }) => role },
      { head: 'PROJECTS', cell: ({ projects }) => reachOf(projects) },
      { head: 'EXPIRES', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : moment(expiresAt)) },
      { head: 'LAST USED', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : moment(lastUsedAt)) },
      {
        head: 'STATE',
        cell: stateOf,
        paint: (text) => (text === 'valid' ? text : style.dim(text)),
      },
    ],
  });
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
}

export const define = noun({
  description: 'API keys: how programs act for a person, with no more than that person may do.',
  verbs: KEY_VERBS,
  bare: LIST_KEYS,
});
