import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { createApiClient } from '@attractor/api';
import { makeSample } from '@attractor/repository';
import { serveGit } from '@attractor/repository/testing';
import { EXIT } from '@attractor/console';
import { makeRepository, must, type Row, type World } from '../command-world.ts';

const KEYS = ['id', 'name', 'path', 'defaultBranch', 'config'];

/** One from a machine that never answers, on its way: its id. */
async function slowClone({ url, token }: World['server']): Promise<string> {
  const silent = createServer((socket) => void socket.on('error', () => null).resume()).listen(0, '127.0.0.1');
  await once(silent.unref(), 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = createApiClient({ baseUrl: url, fetch, headers: () => ({ authorization: `Bearer ${token}` }) });
  void client.projects.clone({ url: `git://127.0.0.1:${port}/never.git` });
  for (;;) {
    const [clone] = must(await client.projects.clones());
    if (clone !== undefined) return clone.id;
  }
}

export const PROJECT_ROWS: ReadonlyArray<Row> = [
  {
    command: 'projects list',
    cases: async ({ server }) => [
      { args: ['--json'], exit: EXIT.done, keys: KEYS },
      { args: ['--server', 'http://127.0.0.1:1'], exit: EXIT.failed, says: 'no attractor server answers' },
      { args: ['--server', 'elsewhere'], exit: EXIT.usage, says: 'address of a server' },
      {
        args: [],
        env: { ATTRACTOR_TOKEN: 'x'.repeat(43), ATTRACTOR_SERVER: server.url },
        exit: EXIT.unauthorised,
        says: 'token',
      },
    ],
  },
  {
    command: 'projects get',
    cases: async ({ project }) => [
      { args: ['sample', '--json'], exit: EXIT.done, keys: KEYS },
      { args: ['--json'], exit: EXIT.done, says: project.id },
      { args: ['prj_none'], exit: EXIT.notFound, says: 'no project prj_none' },
    ],
  },
  {
    command: 'projects info',
    cases: async () => [
      {
        args: ['--json'],
        exit: EXIT.done,
        keys: ['project', 'tasks', 'runningRuns', 'queuedRuns', 'pendingPrompts', 'waiting'],
      },
      { args: [], env: { ATTRACTOR_PROJECT_ID: '' }, exit: EXIT.notFound, says: 'belongs to no project' },
    ],
  },
  {
    command: 'projects create',
    cases: async ({ folder, repository }) => {
      const other = join(folder, `other-${Date.now()}`);
      makeRepository(other);
      return [
        { args: [other, '--name', 'other', '--json'], exit: EXIT.done, keys: KEYS },
        { args: [repository], exit: EXIT.refused, says: 'is already a project' },
        { args: [], stdin: '{"path": 7}', exit: EXIT.refused, says: 'path' },
        { args: [], stdin: 'no json', exit: EXIT.refused, says: 'not valid JSON' },
      ];
    },
  },
  {
    command: 'projects clone',
    cases: async ({ folder }) => {
      const origin = join(folder, `origin-${Date.now()}`);
      makeRepository(origin);
      const { url } = await serveGit(folder);
      const address = `${url}/${basename(origin)}/.git`;
      return [
        { args: [address, '--name', 'copy', '--json'], exit: EXIT.done, keys: KEYS },
        { args: [address, '--name', 'copy'], exit: EXIT.refused, says: 'is already a project' },
        { args: [origin], exit: EXIT.refused, says: 'add the folder itself' },
        { args: ['ext::sh'], exit: EXIT.refused, says: 'would start a program' },
        { args: [`${url}/none.git`], exit: EXIT.failed, says: 'none.git' },
        { args: [], exit: EXIT.usage, says: 'missing required argument' },
      ];
    },
  },
  {
    command: 'projects clones',
    cases: async () => [
      { args: [], exit: EXIT.done, says: 'Nothing is being cloned' },
      { args: ['--json'], exit: EXIT.done },
      { args: ['--server', 'http://127.0.0.1:1'], exit: EXIT.failed, says: 'no attractor server answers' },
    ],
  },
  {
    command: 'projects stop-clone',
    cases: async ({ server }) => [
      { args: [await slowClone(server), '--json'], exit: EXIT.done, keys: ['done'] },
      { args: ['nosuch'], exit: EXIT.notFound, says: 'Nothing is being cloned as nosuch' },
      { args: [], exit: EXIT.usage, says: 'missing required argument' },
    ],
  },
  {
    command: 'projects sample',
    cases: async ({ home, workflow }) => {
      // Under a name of its own: other rows mean the world's project by "sample".
      const path = must(await makeSample(join(home, 'sample')));
      must(await workflow.createProject({ path, name: 'tried' }, { type: 'user' }));
      return [
        { args: ['--json'], exit: EXIT.done, keys: KEYS },
        { args: [], exit: EXIT.done, says: path },
        { args: ['--server', 'http://127.0.0.1:1'], exit: EXIT.failed, says: 'no attractor server answers' },
      ];
    },
  },
  {
    command: 'projects update',
    cases: async ({ project }) => [
      { args: [project.id, '--description', 'What it is', '--json'], exit: EXIT.done, keys: KEYS },
      {
        args: [project.id, '--json'],
        stdin: '{"config":{"defaultPipeline":"simple"}}',
        exit: EXIT.done,
        says: '"simple"',
      },
      { args: [project.id, '--config', '{"nosuch":1}'], exit: EXIT.refused, says: 'nosuch' },
      { args: [project.id, '--config', 'nosuch'], exit: EXIT.usage, says: '--config' },
      { args: [project.id], exit: EXIT.usage, says: 'no input' },
    ],
  },
  {
    command: 'projects move',
    cases: async ({ folder, workflow }) => {
      const [before, after] = [join(folder, `before-${Date.now()}`), join(folder, `after-${Date.now()}`)];
      makeRepository(before);
      const made = await workflow.createProject({ path: before }, { type: 'user' });
      const id = made.ok ? made.value.id : '';
      renameSync(before, after);
      return [
        { args: [id, after, '--json'], exit: EXIT.done, says: after },
        { args: [id, folder], exit: EXIT.refused, says: 'is still there' },
        { args: ['prj_none', after], exit: EXIT.notFound, says: 'no project' },
      ];
    },
  },
  {
    command: 'projects delete',
    cases: async ({ folder, workflow }) => {
      const other = join(folder, `gone-${Date.now()}`);
      makeRepository(other);
      const made = await workflow.createProject({ path: other }, { type: 'user' });
      return [
        { args: [made.ok ? made.value.id : '', '--json'], exit: EXIT.done, keys: ['tasks'] },
        { args: ['prj_none'], exit: EXIT.notFound, says: 'no project' },
        { args: [], exit: EXIT.usage, says: 'missing required argument' },
      ];
    },
  },
  {
    command: 'activity',
    cases: async () => [
      { args: ['--json', '--limit', '5'], exit: EXIT.done, keys: ['seq', 'type', 'summary', 'actor'] },
      { args: ['--limit', 'many'], exit: EXIT.usage, says: 'whole number' },
      { args: ['--project', 'nosuch'], exit: EXIT.notFound, says: 'no project nosuch' },
    ],
  },
];
