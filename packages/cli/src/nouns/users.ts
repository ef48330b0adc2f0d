import { defined } from '@attractor/base';
import type { User, UserEditBody } from '@attractor/api';
import { ROLES, type Role } from '@attractor/facts';
import { CommandFailure, EXIT, type Style } from '@attractor/console';
import type { Flag } from '../verbs/flag.ts';
import { moment, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const NAME = { name: '<name>', about: 'the name they sign in with' };
const ROLE: Flag = { flag: '--role <role>', about: 'viewer looks, operator works, admin decides', choices: ROLES };
export const ONLY: Flag = {
  flag: '--only <project>',
  about: 'id, name or path of a project; without it, every project',
  many: true,
};

const LIST_USERS = verb({
  name: 'list',
  summary: 'list who may use the server',
  examples: ['users list', 'users list --json'],
  call: ({ client }) => client.users.list(),
  show: (users, { style }) => userTable(users, style),
  ids: namesOf,
});

const USER_VERBS: ReadonlyArray<Verb> = [
  LIST_USERS,
  verb({
    name: 'add',
    alias: 'create',
    summary: 'let somebody use the server',
    arguments: [NAME],
    flags: [ROLE, ONLY],
    notes: 'Without --role: viewer. Then attractor sign-in --user NAME prints an address that works once.',
    examples: ['users add ada --role admin', 'users add ben --role operator --only slugs'],
    call: async (call) => {
      const projects = await chosenProjects(call);
      return call.client.users.add({ name: call.arg(0), role: roleOf(call) ?? 'viewer', ...defined({ projects }) });
    },
    show: (user, { style }) => [...userTable([user], style), `To let them in: attractor sign-in --user ${user.name}`],
    ids: (user) => [user.name],
  }),
  verb({
    name: 'edit',
    alias: 'update',
    summary: 'change what a user may do, or end their sessions',
    arguments: [NAME],
    flags: [
      ROLE,
      ONLY,
      { flag: '--every-project', about: 'instead of some projects only' },
      { flag: '--sign-out', about: 'end their sessions in every browser' },
      {
        flag: '--linked <identity>',
        about: 'who they are at an issuer: its address, a space, its id for them; or none',
      },
    ],
    examples: ['users edit ben --role viewer', 'users edit ben --every-project', 'users edit ben --sign-out'],
    call: async (call) => call.client.users.change(call.arg(0), await editOf(call)),
    show: (user, { style }) => userTable([user], style),
    ids: (user) => [user.name],
  }),
  verb({
    name: 'remove',
    alias: 'delete',
    summary: 'remove a user with their keys and sessions',
    arguments: [NAME],
    examples: ['users remove ben'],
    call: ({ client, arg }) => client.users.remove(arg(0)),
    show: ({ name }) => [`Removed ${name}, with keys and sessions.`],
    ids: (user) => [user.name],
  }),
];

async function editOf(call: Call): Promise<UserEditBody> {
  const role = roleOf(call);
  const projects = call.flags.has('everyProject') ? null : await chosenProjects(call);
  const endSessions = call.flags.has('signOut') ? true : undefined;
  const edit = defined({ role, projects, endSessions, linked: linkedTo(call.flags.text('linked')) });
  if (Object.keys(edit).length > 0) return edit;
  throw new CommandFailure('say what to change: --role, --only, --every-project, --sign-out or --linked', EXIT.usage);
}

function linkedTo(said: string | undefined): UserEditBody['linked'] {
  if (said === undefined || said === 'none') return said === undefined ? undefined : null;
  const [issuer = '', ...rest] = said.trim().split(' ');
  if (URL.canParse(issuer) && rest.length > 0) return { issuer, subject: rest.join(' ') };
  throw new CommandFailure(
    `--linked takes the address of an issuer and its id for them, as in "https://id.example.test 248289", or none`,
    EXIT.usage,
  );
}

/** The ids of the projects that `--only` names; absent if it was not given. */
export async function chosenProjects(call: Call): Promise<ReadonlyArray<string> | undefined> {
  const named = call.flags.list('only');
  return named && Promise.all(named.map((name) => call.projectNamed(name)));
}

export function roleOf({ flags }: Call): Role | undefined {
  return ROLES.find((role) => role === flags.text('role'));
}

export function reachOf(projects: ReadonlyArray<string> | null): string {
  return projects === null ? 'every project' : projects.join(', ');
}

function namesOf(users: ReadonlyArray<User>): ReadonlyArray<string> {
  return users.map(({ name }) => name);
}

function userTable(users: ReadonlyArray<User>, style: Style): ReadonlyArray<string> {
  return table(users, {
    style,
    none: 'No users: whoever has the token is the owner. Add one: attractor users add NAME --role operator',
    columns: [
      { head: 'NAME', cell: ({ name }) => name, paint: style.accent },
      { head: 'ROLE', cell: ({ role }) => role },
      { head: 'PROJECTS', cell: ({ role, projects }) => reachOf(role === 'admin' ? null : projects) },
      { head: 'SINCE', cell: ({ createdAt }) => moment(createdAt), paint: style.dim },
    ],
  });
}

export const define = noun({
  description: 'Who may use the server, and what each of them may do.',
  verbs: USER_VERBS,
  bare: LIST_USERS,
});
