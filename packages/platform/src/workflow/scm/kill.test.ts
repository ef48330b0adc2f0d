import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENV, git, killAfterPush, makeFakeGh, makeRemoteWorld } from '@attractor/repository/testing';
import { makeFolder } from '@attractor/store/testing';

const CHILD = join(import.meta.dirname, '../../test-support/forge-child.ts');

type Life = { readonly signal: string | null; readonly code: number | null; readonly out: string };

async function live(args: ReadonlyArray<string>, env: Readonly<Record<string, string>>): Promise<Life> {
  const child = spawn(process.execPath, [bundledProgram(CHILD), ...args], {
    env: { ...env, ...compileCache() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  if (code !== 0 && signal === null) throw new Error(err);
  return { signal, code, out };
}

const count = (list: ReadonlyArray<string>, item: string): number => list.filter((one) => one === item).length;

describe('killed right after it was done outside', () => {
  it('GitHub: the push, the pull request and the merge are each there once', async () => {
    const { path, bare } = await makeRemoteWorld();
    const victim = killAfterPush(bare);
    const gh = makeFakeGh(bare, victim);
    const home = makeFolder();
    const person = makeFolder();
    writeFileSync(join(person, '.gitconfig'), `[url "${bare}"]\n\tinsteadOf = https://github.com/ada/slugs.git\n`);
    await git(path, 'config', 'remote.origin.url', 'https://github.com/ada/slugs.git');
    const env = { ...ENV, HOME: person, PATH: `${gh.folder}:${ENV.PATH}` };
    const deaths: Array<string | null> = [];
    for (const stage of ['branch', 'pr create', 'pr merge'])
      deaths.push((await live([home, path, victim, stage], env)).signal);
    const last = await live([home, path, victim], env);
    expect([...deaths, last.signal]).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', null]);
    const told: { state: string; events: string[]; artifacts: string[] } = JSON.parse(last.out);
    expect(told.state).toBe('merged');
    expect(['commit.pushed', 'pr.created', 'pr.merged'].map((type) => count(told.events, type))).toEqual([1, 1, 1]);
    expect(['branch', 'pull_request', 'diff'].map((type) => count(told.artifacts, type))).toEqual([1, 1, 1]);
    const calls = gh.calls().map(({ args }) => args.slice(0, 2).join(' '));
    expect([count(calls, 'pr create'), count(calls, 'pr merge')]).toEqual([1, 1]);
    expect(gh.state()['requests']).toHaveLength(1);
    expect(await git(path, '--git-dir', bare, 'rev-list', '--count', 'main')).toBe('2');
    expect(await git(path, 'rev-parse', 'main')).toBe(await git(path, '--git-dir', bare, 'rev-parse', 'main'));
  });

  it('a remote of our own: one merge', async () => {
    const { path, bare } = await makeRemoteWorld();
    const victim = killAfterPush(bare);
    const home = makeFolder();
    const env = { ...ENV, HOME: makeFolder() };
    expect((await live([home, path, victim, 'main'], env)).signal).toBe('SIGKILL');
    expect(await git(path, '--git-dir', bare, 'rev-list', '--count', 'main')).toBe('2');
    const told: { state: string; events: string[] } = JSON.parse((await live([home, path, victim], env)).out);
    expect([told.state, count(told.events, 'pr.created'), count(told.events, 'pr.merged')]).toEqual(['merged', 1, 1]);
    expect(await git(path, '--git-dir', bare, 'log', '--format=%s', 'main')).toBe('Make sum add (#1)\nfirst');
    expect(await git(path, 'log', '--format=%s')).toBe('Make sum add (#1)\nfirst');
    expect(await git(path, 'status', '--porcelain', '--untracked-files=no')).toBe('');
  });
});
