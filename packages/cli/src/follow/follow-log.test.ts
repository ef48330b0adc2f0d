import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlatformEvent } from '@attractor/platform';
import { createApiClient } from '@attractor/api';
import { composeServer, type ComposedServer } from '@attractor/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandFailure, EXIT } from '@attractor/console';
import { makeRepository, must } from '../test-support/command-world.ts';
import { followLog } from './follow-log.ts';

const PERSON = { type: 'user' } as const;

function newHome(): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'attractor-follow-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

async function serve(home: string, port = 0): Promise<ComposedServer> {
  const server = must(await composeServer({ home, env: {}, llm: {}, concurrency: 0, port }));
  onTestFinished(() => server.close().catch(() => undefined));
  return server;
}

describe('following the log', () => {
  it('tells each event once and in its order, over a restart of the server', async () => {
    const home = newHome();
    const repository = join(home, 'repository');
    makeRepository(repository);
    const first = await serve(home);
    const project = must(await first.workflow.createProject({ path: repository }, PERSON));
    const make = async ({ workflow }: ComposedServer, title: string) =>
      must(await workflow.createTask({ projectId: project.id, title }, PERSON));
    await make(first, 'before');
    const stop = new AbortController();
    const client = createApiClient({ baseUrl: first.url, token: first.token });
    const [seen, said]: [PlatformEvent[], string[]] = [[], []];
    const waiting = new Map<string, () => void>();
    const told = (title: string) => new Promise<void>((resolve) => void waiting.set(title, resolve));
    const [during, after] = [told('during'), told('after')];
    const following = (async () => {
      const frames = followLog({ client, query: {}, signal: stop.signal, say: (text) => void said.push(text) });
      for await (const frame of frames) {
        if (frame.kind !== 'event') continue;
        seen.push(frame.event);
        for (const [title, resolve] of waiting) if (frame.event.summary.includes(title)) resolve();
      }
    })();
    await make(first, 'during');
    await during;
    await first.close();
    const second = await serve(home, first.port);
    await make(second, 'after');
    await after;
    stop.abort();
    await following;
    const log = await second.workflow.events({});
    expect(seen.map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
    expect(said).toEqual(['Connection lost; trying again.', 'Connected again.']);
  });

  it('fails at once where no server ever answered, and where the token is not known', async () => {
    const exitOf = async (baseUrl: string): Promise<number | null> => {
      const client = createApiClient({ baseUrl, token: 'guess' });
      const frames = followLog({ client, query: {}, signal: new AbortController().signal, say: () => undefined });
      const [first] = await Promise.allSettled([frames.next()]);
      return first.status === 'rejected' && first.reason instanceof CommandFailure ? first.reason.exitCode : null;
    };
    const server = await serve(newHome());
    expect(await exitOf(server.url)).toBe(EXIT.unauthorised);
    expect(await exitOf('http://127.0.0.1:9')).toBe(EXIT.failed);
  });
});
