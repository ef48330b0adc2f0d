import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '@attractor/base';
import type { Project } from '@attractor/platform';
import type { NewProjectBody, ProjectEditBody } from '@attractor/api';
import { homeFolder } from '../settings.ts';
import { fieldsOf, jsonFlag } from '../verbs/fields.ts';
import { facts, moment, table } from '@attractor/console/lines';
import { noun } from '../verbs/noun.ts';
import { type Call, type Verb, verb } from '../verbs/verb.ts';

const ID = { name: '[id]', about: 'key, id, name or path (default: the project of this folder)' };
const FIELDS = [
  { flag: '--name <text>', about: 'its name' },
  { flag: '--description <text>', about: 'what it is, for agents too' },
  { flag: '--default-branch <name>', about: 'where work starts from and ends up' },
];

const PROJECT_VERBS: ReadonlyArray<Verb> = [
  verb({
    name: 'list',
    summary: 'list the projects',
    examples: ['projects list', 'projects list --json'],
    call: ({ client }) => client.projects.list(),
    show: (projects, { style }) =>
      table(projects, {
        style,
        none: 'No projects yet: attractor projects create PATH',
        columns: [
          { head: 'KEY', cell: ({ key }) => key, paint: style.accent },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'BRANCH', cell: ({ defaultBranch }) => defaultBranch },
          { head: 'PATH', cell: ({ path }) => path },
        ],
      }),
  }),
  verb({
    name: 'get',
    summary: 'show a project',
    arguments: [ID],
    examples: ['projects get', 'projects get ATT --json'],
    call: async (call) => call.client.projects.get(await named(call)),
    show: (project, { style }) => projectLines(project, style),
  }),
  verb({
    name: 'info',
    summary: 'show a project and how much is going on in it',
    arguments: [ID],
    examples: ['projects info', 'projects info slugs --json'],
    call: async (call) => call.client.projects.info(await named(call)),
    ids: ({ project }) => [project.id],
    show: ({ project, tasks, runningRuns, queuedRuns, waiting }, { style }) =>
      facts(
        [
          ...projectFacts(project),
          ['runs', `${runningRuns} running, ${queuedRuns} queued`],
          ['for you', `${waiting} waiting`],
          [
            'tasks',
            Object.entries(tasks)
              .map(([status, count]) => `${count} ${status}`)
              .join(', ') || 'none',
          ],
        ],
        style,
      ),
  }),
  verb({
    name: 'create',
    alias: 'add',
    summary: 'add a repository as a project',
    arguments: [{ name: '[path]', about: 'a folder of the repository (default: this one)' }],
    flags: FIELDS,
    notes: 'JSON on stdin instead: {"path": …, "name"?, "description"?, "defaultBranch"?}',
    examples: ['projects create', 'projects create ~/src/slugs --name slugs', 'projects create < project.json'],
    call: async (call) => {
      const made = await call.client.projects.create(await newProject(call));
      if (made.ok) await sayIfUntrusted(call, made.value);
      return made;
    },
    show: (project, { style }) => projectLines(project, style),
  }),
  verb({
    name: 'clone',
    summary: 'clone a repository and add it as a project',
    arguments: [{ name: '<url>', about: 'https://…, ssh://…, git://… or git@host:name.git' }],
    flags: [
      { flag: '--name <text>', about: 'name of its folder and of the project (default: the end of the address)' },
    ],
    notes:
      'The clone is in the folder `repositories` of the home of the server. Git asks nothing: it needs an ssh key or a credential helper. A password in the address is used once and not kept.',
    examples: [
      'projects clone https://example.test/slugs.git',
      'projects clone git@example.test:team/slugs.git --name slugs',
    ],
    call: async (call) => {
      const name = call.flags.text('name');
      const made = await call.client.projects.clone({ url: call.arg(0), ...defined({ name }) });
      if (made.ok) await sayIfUntrusted(call, made.value);
      return made;
    },
    show: (project, { style }) => projectLines(project, style),
  }),
  verb({
    name: 'clones',
    summary: 'list the clones in progress, and how far they are',
    examples: ['projects clones', 'projects clones --json'],
    call: ({ client }) => client.projects.clones(),
    show: (clones, { style }) =>
      table(clones, {
        style,
        none: 'Nothing is being cloned.',
        columns: [
          { head: 'ID', cell: ({ id }) => id, paint: style.accent },
          { head: 'PHASE', cell: ({ phase }) => phase },
          { head: 'PERCENT', cell: ({ percent }) => (percent === null ? '' : String(percent)) },
          { head: 'SINCE', cell: ({ startedAt }) => moment(startedAt) },
          { head: 'ADDRESS', cell: ({ url }) => url },
        ],
      }),
  }),
  verb({
    name: 'stop-clone',
    summary: 'stop a clone; nothing of it is left',
    arguments: [{ name: '<id>', about: 'as `projects clones` lists it' }],
    examples: ['projects stop-clone 3f9c2a17b04d5e68'],
    call: ({ client, arg }) => client.projects.stopClone(arg(0)),
    ids: () => [],
    show: () => ['Stopped.'],
  }),
  verb({
    name: 'sample',
    summary: 'make the sample repository and add it as a project',
    notes: 'A small library with failing tests, to try things out on. Called again, it shows the same project.',
    examples: ['projects sample', 'projects sample --json'],
    call: async (call) => {
      const made = await call.client.projects.sample();
      if (made.ok) await sayIfUntrusted(call, made.value);
      return made;
    },
    show: (project, { style }) => projectLines(project, style),
  }),
  verb({
    name: 'update',
    alias: 'edit',
    summary: 'change a project',
    arguments: [ID],
    flags: [
      ...FIELDS,
      {
        flag: '--key <letters>',
        about: "what its tasks' keys begin with, such as ATT; keys with the old one still work",
      },
      { flag: '--config <json>', about: 'settings to change; the others stay, null takes one away' },
    ],
    notes: 'JSON on stdin instead: {"name"?, "description"?, "defaultBranch"?, "key"?, "config"?}',
    examples: [
      'projects update slugs --description "Slugs for titles"',
      'projects update slugs --key SLUG',
      `projects update slugs --config '{"defaultPipeline":"feature"}'`,
    ],
    call: async (call) => {
      const config = jsonFlag(call, 'config');
      const body = await fieldsOf<ProjectEditBody>(call, { ...fields(call), key: call.flags.text('key'), config });
      return call.client.projects.update(await named(call), body);
    },
    show: (project, { style }) => projectLines(project, style),
  }),
  verb({
    name: 'move',
    summary: 'set the new folder of a project that was moved',
    arguments: [
      { name: '<id>', about: 'key, id, name or path' },
      { name: '[path]', about: 'where it is now (default: this folder)' },
    ],
    notes:
      'Worktrees that moved along are repaired. What you trusted there has to be trusted again: `attractor trust show`.',
    examples: ['projects move ATT ~/src/slugs', 'projects move ~/old/slugs'],
    call: async (call) => call.client.projects.move(await named(call), resolve(call.arg(1))),
    show: (project, { style }) => projectLines(project, style),
  }),
  verb({
    name: 'delete',
    summary: "stop a project's agents and delete its records; its files stay",
    arguments: [{ name: '<id>', about: 'key, id, name or path' }],
    examples: ['projects delete ATT'],
    call: async (call) => call.client.projects.delete(await named(call)),
    ids: () => [],
    show: ({ tasks }) => [`Removed, with the records of ${tasks} tasks. The files of the repository are untouched.`],
  }),
];

/** The argument, or the project of this folder. */
async function named(call: Call): Promise<string> {
  return call.projectNamed(call.arg(0) === '' ? undefined : call.arg(0));
}

async function newProject(call: Call): Promise<NewProjectBody> {
  const path = call.arg(0) === '' ? undefined : resolve(call.arg(0));
  const said = { path, ...fields(call) };
  const isSilent = Object.values(said).every((value) => value === undefined);
  const input = isSilent ? await call.input() : null;
  return fieldsOf<NewProjectBody>(call, input ?? { ...said, path: path ?? process.cwd() });
}

function fields({ flags }: Call) {
  return {
    name: flags.text('name'),
    description: flags.text('description'),
    defaultBranch: flags.text('defaultBranch'),
  };
}

/** What a repository says about agents counts only once a person has looked at it: unsaid, that is missed later. */
async function sayIfUntrusted({ say }: Call, { path }: Project): Promise<void> {
  if (!existsSync(path)) return;
  const { examineTrust } = await import('@attractor/settings');
  const { state, files } = examineTrust(path, { home: homeFolder(process.env) });
  if (state !== 'trusted' && files.length > 0)
    say(
      `Nothing of its own configuration is used until you trust it: look at it with \`attractor trust show\` in ${path}.`,
    );
}

function projectLines(project: Project, style: Call['style']): ReadonlyArray<string> {
  return facts(projectFacts(project), style);
}

function projectFacts(project: Project): ReadonlyArray<readonly [name: string, value: string]> {
  return [
    ['key', project.key],
    ['name', project.name],
    ['path', project.path],
    ['branch', project.defaultBranch],
    ['about', project.description ?? ''],
    ['config', Object.keys(project.config).length === 0 ? '' : JSON.stringify(project.config)],
    ['added', moment(project.createdAt)],
  ];
}

export const define = noun({
  description: 'Repositories that agents may work in, and their settings.',
  verbs: PROJECT_VERBS,
});
