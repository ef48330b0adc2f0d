import type { Result } from '@attractor/platform';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Answer } from './failure.ts';
import type { HttpOptions } from './http.ts';
import { CALLS, ROUTES } from './nouns.ts';
import type { Route, RoutesOf } from './route.ts';

type Rows = Readonly<Record<string, Pick<Route, 'method' | 'path' | 'about'>>>;
type Calls = (http: HttpOptions) => Readonly<Record<string, (...given: ReadonlyArray<string>) => Promise<unknown>>>;

const ROWS: ReadonlyArray<readonly [noun: string, routes: Rows]> = Object.entries(ROUTES).map(([noun, routes]) => [
  noun,
  routes(),
]);

describe.each(ROWS)('the routes of %s', (noun, routes) => {
  const calls = Object.entries(CALLS).find(([name]) => name === noun)?.[1] as Calls;

  it('are asked for by the calls of the same names', async () => {
    const asked: string[] = [];
    const fetch = (request: Request): Response => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return new Response('[]');
    };
    const client = calls({ baseUrl: 'http://127.0.0.1', fetch, headers: () => ({}) });
    expect(Object.keys(routes).toSorted()).toEqual(Object.keys(client).toSorted());
    for (const [name, { method, path }] of Object.entries(routes)) {
      const call = client[name];
      await call?.(...Array.from({ length: call.length }, () => 'x')).catch(() => undefined);
      expect([name, asked.at(-1)]).toEqual([name, `${method} ${path.replaceAll(/:\w+/g, 'x')}`]);
    }
  });

  it('say in one line what each is for', () => {
    for (const { about } of Object.values(routes)) expect(about).toMatch(/^[a-z][^\n]{5,99}[^.\n]$/);
  });
});

it('no endpoint has two routes', () => {
  const all = ROWS.flatMap(([, routes]) => Object.values(routes).map(({ method, path }) => `${method} ${path}`));
  expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
});

it('a route that answers something else than its call promises is no route of the noun', () => {
  type WishCalls = (http: HttpOptions) => { readonly get: (id: string) => Promise<Answer<{ readonly wish: string }>> };
  type Answering<Value> = { readonly get: Omit<Route<Value>, 'act'> & { readonly act: () => Promise<Result<Value>> } };
  expectTypeOf<Answering<{ wish: string }>>().toExtend<RoutesOf<WishCalls>>();
  expectTypeOf<Answering<{ wish: number }>>().not.toExtend<RoutesOf<WishCalls>>();
  expectTypeOf<object>().not.toExtend<RoutesOf<WishCalls>>();
});
