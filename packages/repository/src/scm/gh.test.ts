import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commitOnBranch, makeFakeGh, makeRemoteWorld } from '../test-support/forge-world.ts';
import { got, scmContract } from '../test-support/scm-contract.ts';
import { ENV, git } from '../test-support/git-world.ts';
import { makeFolder } from '@attractor/store/testing';
import { createGhScm } from './gh.ts';
import { ghFailure } from './gh-failure.ts';
import { findGh, ghVariables } from './gh-program.ts';
import { markOwn } from './own-part.ts';
import { githubSlug } from './github-slug.ts';

async function makeGhWorld() {
  const world = await makeRemoteWorld();
  const gh = makeFakeGh(world.bare);
  const cwd = makeFolder();
  const env = ghVariables({
    ...ENV,
    GH_TOKEN: 'of-a-test',
    AWS_SECRET_ACCESS_KEY: 'not for gh',
    LD_PRELOAD: '/evil.so',
  });
  const scm = createGhScm({
    program: `${gh.folder}/gh`,
    env,
    cwd,
    repository: { host: 'github.com', slug: 'ada/slugs' },
  });
  return { ...world, gh, cwd, scm };
}

describe('pull requests through gh', () => {
  scmContract(makeGhWorld);

  it('gives gh fixed arguments, the text on stdin, a folder of its own and a small environment', async () => {
    const { scm, gh, path, cwd } = await makeGhWorld();
    await commitOnBranch(path, { branch: 'agent/x', file: 'x', content: 'x' });
    await git(path, 'push', '--quiet', 'origin', 'agent/x');
    got(
      await scm.createPR({
        title: '--repo=evil/evil $(touch pwned)',
        body: 'the body',
        headBranch: 'agent/x',
        baseBranch: 'main',
        state: 'draft',
      }),
    );
    const [list, create] = gh.calls();
    expect(list?.args.slice(0, 2)).toEqual(['pr', 'list']);
    expect(create?.args).toEqual([
      'pr',
      'create',
      '--head=agent/x',
      '--base=main',
      '--title=--repo=evil/evil $(touch pwned)',
      '--body-file=-',
      '--draft',
      '--repo=ada/slugs',
    ]);
    expect([create?.stdin, create?.cwd]).toEqual([markOwn('the body'), cwd]);
    expect(create?.names).toContain('GH_TOKEN');
    expect(create?.names).not.toContain('AWS_SECRET_ACCESS_KEY');
    expect(create?.names).not.toContain('LD_PRELOAD');
  });

  it('tells work that went on once, between what people wrote, and leaves a text that is theirs alone', async () => {
    const { scm, gh, path } = await makeGhWorld();
    await commitOnBranch(path, { branch: 'agent/x', file: 'x', content: 'x' });
    await git(path, 'push', '--quiet', 'origin', 'agent/x');
    const wanted = { title: 'X', headBranch: 'agent/x', baseBranch: 'main', state: 'open' } as const;
    const tell = async (body: string) => got(await scm.createPR({ ...wanted, body }));
    const requests = (): ReadonlyArray<{ body: string }> => JSON.parse(JSON.stringify(gh.state()['requests']));
    const write = (body: string) => gh.put({ requests: requests().map((request) => ({ ...request, body })) });
    const edits = () => gh.calls().filter(({ args }) => args[1] === 'edit').length;
    await tell('First.');
    write(`Seen by Ada.\r\n${requests()[0]?.body.replaceAll('\n', '\r\n')}\r\nFixes #4`);
    await tell('First.');
    expect(edits()).toBe(0);
    for (const _again of [1, 2]) await tell('Second, for $& and $1.');
    expect(edits()).toBe(1);
    expect(requests()[0]?.body).toBe(`Seen by Ada.\r\n${markOwn('Second, for $& and $1.')}\r\nFixes #4`);
    write('All mine now.');
    await tell('Third.');
    expect([edits(), requests()[0]?.body]).toEqual([1, 'All mine now.']);
  });

  it('says so when gh answers what nobody can read', async () => {
    const { scm, gh } = await makeGhWorld();
    gh.put({ requests: [{ number: 'one' }] });
    gh.put({ requests: [{ number: 1, state: 'NEW' }] });
    expect(await scm.getPR(1)).toMatchObject({ ok: false, error: { message: expect.stringContaining('Update gh') } });
  });

  it('reads issues', async () => {
    const { scm, gh } = await makeGhWorld();
    const issue = {
      number: 4,
      title: 'Broken',
      body: 'It is.',
      url: 'https://github.com/ada/slugs/issues/4',
      labels: [{ name: 'bug' }],
      state: 'OPEN',
    };
    gh.put({ issues: [issue, { ...issue, number: 5, state: 'CLOSED' }] });
    expect(got((await scm.listIssues?.()) ?? { ok: true, value: [] })).toEqual([
      { ...issue, labels: ['bug'], state: 'open' },
    ]);
    expect(await scm.getIssue?.(9)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});

describe('what gh says against a call', () => {
  it.each([
    ['error connecting to api.github.com', true, 'unavailable'],
    ['HTTP 502: Bad Gateway', true, 'unavailable'],
    ['You have exceeded a secondary rate limit', true, 'unavailable'],
    ['To get started with GitHub CLI, please run:  gh auth login', false, 'unavailable'],
    ['HTTP 403: Resource not accessible by personal access token', false, 'blocked'],
    ['the base branch policy prohibits the merge', false, 'blocked'],
    ['something new', false, 'unavailable'],
  ])('%s', (said, retryable, code) => {
    const { error } = ghFailure({ exitCode: 1, stdout: '', stderr: said });
    expect(error).toMatchObject({ code, retryable });
    expect(error.message).toContain(said);
  });
});

describe('the gh program', () => {
  it('is never taken from the repository, not even through a link or a relative path', async () => {
    const { path, bare } = await makeRemoteWorld();
    const inside = makeFakeGh(bare);
    const elsewhere = makeFolder();
    symlinkSync(`${inside.folder}/gh`, `${elsewhere}/gh`);
    expect(findGh(`${inside.folder}:.`, inside.folder)).toBeNull();
    expect(findGh(elsewhere, inside.folder)).toBeNull();
    expect(findGh(inside.folder, path)).toBe(`${inside.folder}/gh`);
  });

  it.each([
    ['https://github.com/ada/slugs.git', 'ada/slugs'],
    ['https://x-access-token:abc@github.com/ada/slugs', 'ada/slugs'],
    ['git@github.com:ada/slugs.git', 'ada/slugs'],
    ['ssh://git@github.com:22/ada/slugs.git/', 'ada/slugs'],
    ['https://git.example.test/ada/slugs', 'git.example.test/ada/slugs'],
    ['https://gitlab.com/ada/slugs', null],
    ['/srv/origin.git', null],
    ['https://github.com/-ada/slugs', null],
    ['https://github.com.evil.test/ada/slugs', null],
  ])('%s is %s', (url, slug) => {
    expect(githubSlug(url, 'git.example.test')?.slug ?? null).toBe(slug);
  });
});
