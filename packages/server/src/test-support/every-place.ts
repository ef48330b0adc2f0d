import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '@attractor/api';
import type { Locator, Page } from 'playwright-core';
import { type EmptyWorld, keepConversation, must } from './web-world.ts';

/** A place, what others do while its server is away, and what it shows of that once the server is back. */
type AwayPlace = {
  /** As the app's table of places has it. */
  readonly route: string;
  readonly path?: string;
  readonly away: (client: ApiClient) => Promise<unknown>;
  readonly shown: (page: Page) => Locator;
  /** Where somebody was writing. */
  readonly written?: (page: Page) => Locator;
};

const ROUTES = join(import.meta.dirname, '..', '..', '..', 'web', 'src', 'routes.tsx');

/** Every address in the app's own table, but the one that only developers have. */
export function appRoutes(): ReadonlyArray<string> {
  const found = readFileSync(ROUTES, 'utf8').matchAll(/^\s*place\('([^']+)'/gm);
  return [...found].map(([, path = '']) => path);
}

export async function awayPlaces(world: EmptyWorld, projectId: string): Promise<ReadonlyArray<AwayPlace>> {
  const { client } = world.server();
  const make = async (title: string) => must(await client.tasks.create({ projectId, title }));
  const task = await make('Looked at while away');
  const tried = await make('Tried while away');
  const works = await make('Hangs while away');
  const stops = await make('Hangs until stopped');
  const start = async (by: ApiClient, { id }: { readonly id: string }) =>
    must(await by.tasks.startRun(id, { mode: 'plan' }));
  const [run, stopped] = [await start(client, works), await start(client, stops)];
  const { version: _, isDefault: __, ...simple } = must(await client.pipelines.get('simple'));
  const pipeline = (id: string, name: string) => ({ ...simple, id, name });
  must(await client.pipelines.save(pipeline('looked-at', 'Looked at')));
  await keepConversation(world, 'Said before');
  const [said] = must(await client.sessions.list({}));
  const { runs } = must(await client.costs.stats());
  return [
    {
      route: '/',
      away: async (by) => must(await by.runs.stop(stopped.id)),
      shown: (page) => page.getByRole('region', { name: 'Stopped' }).getByRole('button', { name: /until stopped/ }),
    },
    {
      route: '/board',
      away: async (by) => must(await by.tasks.create({ projectId, title: 'Made while away' })),
      shown: (page) => page.getByRole('link', { name: 'Made while away' }),
    },
    {
      route: '/new',
      away: async (by) => must(await by.templates.save({ name: 'Kept while away', fields: {} })),
      shown: (page) => page.getByLabel('Template').locator('option', { hasText: 'Kept while away' }),
      written: (page) => page.getByLabel('What should change?'),
    },
    {
      route: '/tasks/:id',
      path: `/tasks/${task.key}`,
      away: async (by) => must(await by.notes.add(task.id, 'Noted while away')),
      shown: (page) => page.getByText('Noted while away'),
      written: (page) => page.getByLabel('Note on this task'),
    },
    {
      route: '/tasks/:id/compare',
      path: `/tasks/${tried.key}/compare`,
      away: async (by) => must(await by.tasks.update(tried.id, { title: 'Tried and named anew' })),
      shown: (page) => page.getByText('Tried and named anew'),
    },
    {
      route: '/runs/:id',
      path: `/runs/${run.key}`,
      away: async (by) => must(await by.tasks.update(works.id, { title: 'Hangs and was named anew' })),
      shown: (page) => page.getByRole('link', { name: 'Hangs and was named anew' }),
      written: (page) => page.getByLabel('Say something to the agent'),
    },
    {
      route: '/pipelines',
      away: async (by) => must(await by.pipelines.save(pipeline('away', 'Saved while away'))),
      shown: (page) => page.getByRole('link', { name: 'Saved while away' }),
    },
    {
      route: '/pipelines/:id',
      path: '/pipelines/simple?mode=edit',
      away: async (by) => must(await by.pipelines.setDefault('simple')),
      shown: (page) => page.getByText(/, default/),
      written: (page) => page.getByLabel('JSON of the pipeline'),
    },
    {
      route: '/costs',
      away: async (by) => must(await by.budgets.set({ scope: 'all', limitUsd: 321 })),
      shown: (page) => page.getByRole('region', { name: 'Budgets' }).getByText('$321.00'),
    },
    {
      route: '/insights',
      away: (by) => start(by, tried),
      shown: (page) => page.getByText(`${runs + 1} runs`),
    },
    {
      route: '/agents',
      away: async (by) => must(await by.queue.setLimit({ kind: 'agent', name: 'second', max: 7 })),
      shown: (page) => page.getByText('At most 7 at once for the agent second'),
    },
    {
      route: '/sessions',
      away: () => keepConversation(world, 'Said while away'),
      shown: (page) => page.getByRole('link', { name: /Said while away/ }),
    },
    {
      route: '/sessions/:id',
      path: `/sessions/${said?.id}`,
      away: async () => undefined,
      shown: (page) => page.getByRole('heading', { name: 'Said before' }),
      written: (page) => page.getByLabel('Say something to the agent'),
    },
    {
      route: '/start',
      away: async (by) => must(await by.projects.update(projectId, { name: 'renamed' })),
      shown: (page) => page.getByRole('region', { name: 'A project' }).getByText('renamed'),
    },
    {
      route: '/projects',
      away: async (by) => must(await by.projects.update(projectId, { name: 'renamed again' })),
      shown: (page) => page.getByRole('region', { name: 'renamed again' }),
    },
    {
      route: '/settings',
      path: '/settings?tab=users',
      away: async (by) => must(await by.users.add({ name: 'wanda', role: 'viewer' })),
      shown: (page) => page.getByRole('button', { name: 'Remove wanda' }),
    },
  ];
}
