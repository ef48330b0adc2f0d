import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { runGit } from '@attractor/git';
import { createMemoryJournal } from '@attractor/journal';
import { createProfile } from '../profiles/choose.ts';
import { createSession, resumeSession } from '../session/session.ts';
import { createScriptedClient } from '../testing/scripted-client.ts';
import { countingTool, makeSession } from '../test-support/session-world.ts';
import { makeFolder } from '@attractor/base/testing';
import { createToolRegistry, type ProviderProfile } from '../types/index.ts';
import { buildSystemPrompt, type SystemTextSource } from './build.ts';
import { takeGitSnapshot } from '@attractor/git';
import { readProjectDocs } from './project-docs.ts';

const IDS = ['openai', 'anthropic', 'gemini'] as const;
const AUTHOR = { name: 'Ada', email: 'ada@example.test' };
const noon = () => new Date(2026, 1, 14, 12);

type Wish = Partial<SystemTextSource> & { readonly userInstruction?: string };

function build(root: string, { userInstruction, ...more }: Wish = {}): Promise<string> {
  return buildSystemPrompt({
    profile: createProfile('anthropic'),
    environment: createLocalExecutionEnvironment(root),
    config: { model: 'some-model', provider: 'x', ...defined({ userInstruction }) },
    now: noon,
    ...more,
  });
}

async function git(root: string, ...commands: ReadonlyArray<ReadonlyArray<string>>): Promise<void> {
  for (const args of commands) await runGit(args, { cwd: root, author: AUTHOR });
}

describe('the system prompt', () => {
  it.each(IDS)('AC 9.1: begins with the text of its profile (%s)', async (id) => {
    const prompt = await build(makeFolder(), { profile: createProfile(id) });
    expect(prompt).toMatch(/^You are a coding agent/);
    expect(prompt.indexOf('<environment>')).toBeGreaterThan(1_000);
  });

  it('AC 9.2: tells platform, working directory, date and model', async () => {
    const root = makeFolder();
    const prompt = await build(root);
    const { platform, osVersion } = createLocalExecutionEnvironment(root);
    expect(prompt).toContain(
      [
        '<environment>',
        `Working directory: ${root}`,
        'Is a git repository: no',
        `Platform: ${platform()}`,
        `OS version: ${osVersion()}`,
        'Date: 2026-02-14',
        'Model: some-model',
        '</environment>',
      ].join('\n'),
    );
  });

  it('AC 9.2: tells branch, changes and commits of the repository it works in', async () => {
    const root = makeFolder({ 'a.txt': 'x', 'sub/b.txt': 'x' });
    await git(root, ['init', '-b', 'trunk'], ['add', '.'], ['commit', '-m', 'The first one']);
    writeFileSync(path.join(root, 'new.txt'), 'x');
    const prompt = await build(path.join(root, 'sub'));
    expect(prompt).toContain('Is a git repository: yes\nGit branch: trunk\n');
    expect(prompt).toMatch(
      /Git status at the start: \n\?\? .*new\.txt\nRecent commits: \n[0-9a-f]{7,} The first one\n/,
    );
  });

  it('AC 9.6: the wish of the person comes last, after all else, and every layer is there once', async () => {
    const root = makeFolder({ 'AGENTS.md': 'Use tabs.' });
    for (const id of IDS) {
      const prompt = await build(root, { profile: createProfile(id), userInstruction: 'Answer in German.' });
      const layers = ['You are a coding agent', '<environment>', '\n# Tools\n', 'Use tabs.', 'Answer in German.'];
      expect(layers.map((layer) => prompt.split(layer).length - 1)).toEqual([1, 1, 1, 1, 1]);
      const places = layers.map((layer) => prompt.indexOf(layer));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(prompt.endsWith('\n\nAnswer in German.')).toBe(true);
    }
  });

  it('leaves out layers with nothing in them', async () => {
    const bare: ProviderProfile = { ...createProfile('gemini'), toolRegistry: createToolRegistry() };
    const prompt = await build(makeFolder({ 'AGENTS.md': '  \n' }), { profile: bare, userInstruction: '' });
    expect(prompt).toMatch(/<\/environment>$/);
    expect(prompt).not.toMatch(/# Tools|\n\n\n/);
  });

  it('is what the profile says, if that has a whole text of its own', async () => {
    const profile = { ...createProfile('gemini'), systemText: 'You ping.' };
    const root = makeFolder({ 'AGENTS.md': 'Use tabs.' });
    expect(await build(root, { profile, userInstruction: 'Answer in German.' })).toBe('You ping.');
  });

  it('lists the tools that the session has: fewer, more, or its own', async () => {
    const profile = createProfile('anthropic');
    const readers = profile.toolRegistry.list().filter((tool) => tool.readOnly === true);
    const narrowed = { ...profile, toolRegistry: createToolRegistry([...readers, countingTool('measure')]) };
    const listed = (prompt: string) => [...prompt.matchAll(/^- (\w+): /gm)].map(([, name]) => name);
    const kept = ['read_file', 'grep', 'glob', 'LS', 'NotebookRead', 'TodoWrite', 'measure'];
    expect(listed(await build(makeFolder(), { profile: narrowed }))).toEqual(kept);
    const given = [countingTool('own').definition];
    expect(listed(await build(makeFolder(), { profile, tools: given }))).toEqual(['own']);
  });

  it('takes the date of the clock that the session was given', async () => {
    const { options, client } = makeSession([{ text: 'one' }]);
    const session = createSession({ ...options, journal: createMemoryJournal(), now: noon });
    await session.submit('a');
    await session.close();
    expect(JSON.stringify(client.requests[0]?.messages[0])).toContain('Date: 2026-02-14');
  });

  it('is the same, byte for byte, in every turn and after a resume, whatever has changed meanwhile', async () => {
    const world = makeSession([{ text: 'one' }, { text: 'two' }], { files: { 'AGENTS.md': 'before' } });
    await world.session.submit('a');
    writeFileSync(path.join(world.root, 'AGENTS.md'), 'after');
    world.session.configure({ reasoningEffort: 'high' });
    await world.session.submit('b');
    await world.session.close();
    const client = createScriptedClient([{ text: 'three' }]);
    const { journal } = world;
    const resumed = resumeSession({ ...world.options, journal, client, now: () => new Date(2031, 0, 1) });
    await resumed.submit('c');
    await resumed.close();
    const requests = [...world.client.requests, ...client.requests];
    expect(new Set(requests.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
    const [first, second, third] = requests.map(({ messages }) => messages);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(third?.slice(0, second?.length)).toEqual(second);
    expect(JSON.stringify(third?.[0])).toContain('before');
  });
});

describe('the git snapshot', () => {
  it('works in a repository without a commit, and on a detached head', async () => {
    const root = makeFolder();
    await git(root, ['init', '-b', 'trunk']);
    expect(await takeGitSnapshot(root)).toEqual({ root, branch: 'trunk', status: '', log: null });
    await git(root, ['commit', '--allow-empty', '-m', 'x'], ['checkout', '--detach']);
    expect(await takeGitSnapshot(root)).toMatchObject({ root, branch: null, status: '', log: expect.any(String) });
  });

  it.each([
    ['a .git that leads nowhere', (root: string) => writeFileSync(path.join(root, '.git'), 'gitdir: /nowhere\n')],
    ['an empty .git folder', (root: string) => mkdirSync(path.join(root, '.git'))],
    ['a .git link in a circle', (root: string) => symlinkSync('.git', path.join(root, '.git'))],
  ])('%s does no harm', async (_what, spoil) => {
    const root = makeFolder({ 'AGENTS.md': 'still read' });
    spoil(root);
    expect(await takeGitSnapshot(root)).toMatchObject({ branch: null, status: null, log: null });
    const prompt = await build(root);
    expect(prompt).toContain('Is a git repository: no\n');
    expect(prompt).toContain('still read');
  });

  it('a folder that went away does no harm', async () => {
    const root = makeFolder();
    rmSync(root, { recursive: true });
    expect(await takeGitSnapshot(root)).toEqual({ root: null, branch: null, status: null, log: null });
  });

  it('stays short in a repository with very much to say', async () => {
    const root = makeFolder(Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`file-${index}`, ''])));
    await git(root, ['init'], ['commit', '--allow-empty', '-m', 'long '.repeat(1_000)]);
    const { status, log } = await takeGitSnapshot(root);
    expect(status?.split('\n')).toHaveLength(41);
    expect(status).toMatch(/\(and 60 more\)$/);
    expect(log?.length).toBeLessThan(210);
  });
});

describe('project documents', () => {
  const docs = (root: string, folder = root, fileNames: ReadonlyArray<string> = ['AGENTS.md', 'CLAUDE.md']) =>
    readProjectDocs({ environment: createLocalExecutionEnvironment(folder), root, fileNames });

  it('AC 9.3: come from the root of the repository down to the working directory, the deeper the later', async () => {
    const root = makeFolder({
      'AGENTS.md': 'root agents',
      'CLAUDE.md': 'root claude',
      'a/AGENTS.md': 'a agents',
      'a/b/CLAUDE.md': 'b claude',
      'c/AGENTS.md': 'of a neighbour',
      'a/b/c/AGENTS.md': 'of a child',
    });
    await git(root, ['init']);
    const prompt = await build(path.join(root, 'a/b'));
    expect(prompt).toContain(
      '# AGENTS.md\n\nroot agents\n\n# CLAUDE.md\n\nroot claude\n\n# a/AGENTS.md\n\na agents\n\n# a/b/CLAUDE.md\n\nb claude',
    );
    expect(prompt).not.toMatch(/of a neighbour|of a child/);
  });

  it('AC 9.3: outside a repository only the working directory counts', async () => {
    const root = makeFolder({ 'AGENTS.md': 'above', 'a/AGENTS.md': 'here' });
    const prompt = await build(path.join(root, 'a'));
    expect(prompt).toContain('# AGENTS.md\n\nhere');
    expect(prompt).not.toContain('above');
  });

  it.each([
    ['openai', ['agents', 'codex']],
    ['anthropic', ['agents', 'claude']],
    ['gemini', ['agents', 'gemini']],
  ] as const)('AC 9.4: %s reads AGENTS.md and its own file, and no other', async (id, read) => {
    const files = {
      'AGENTS.md': 'say agents',
      '.codex/instructions.md': 'say codex',
      'CLAUDE.md': 'say claude',
      'GEMINI.md': 'say gemini',
    };
    const prompt = await build(makeFolder(files), { profile: createProfile(id) });
    expect([...prompt.matchAll(/^say (\w+)$/gm)].map(([, name]) => name)).toEqual(read);
  });

  it('AC 9.4: AGENTS.md is read though the profile does not name it', async () => {
    const root = makeFolder({ 'AGENTS.md': 'agents', 'HOUSE.md': 'house' });
    expect(await docs(root, root, ['HOUSE.md'])).toBe('# AGENTS.md\n\nagents\n\n# HOUSE.md\n\nhouse');
  });

  it('AC 9.5: are cut at 32 KB with a mark, at a whole character', async () => {
    const text = await docs(makeFolder({ 'AGENTS.md': 'ü'.repeat(40_000), 'CLAUDE.md': 'too late' }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024 + 40);
    expect(text).toMatch(/ü\n\[Project documents were cut at 32KB\.\]$/);
    const fits = await docs(makeFolder({ 'AGENTS.md': 'x'.repeat(32 * 1024 - '# AGENTS.md\n\n'.length) }));
    expect(Buffer.byteLength(fits)).toBe(32 * 1024);
    expect(fits).toMatch(/x$/);
  });

  it('that are empty, no text, a folder, a pipe or a link outside are passed over', async () => {
    const outside = makeFolder({ 'secret.md': 'secret' });
    const root = makeFolder({ 'AGENTS.md': ' \n', 'CLAUDE.md': 'a\0b', 'a/AGENTS.md/x': '', 'a/b/AGENTS.md': 'kept' });
    symlinkSync(path.join(outside, 'secret.md'), path.join(root, 'a/b/CLAUDE.md'));
    execFileSync('mkfifo', [path.join(root, 'a/CLAUDE.md')]);
    expect(await docs(root, path.join(root, 'a/b'))).toBe('# a/b/AGENTS.md\n\nkept');
  });

  it('a file that links to its neighbour, or repeats it, is told once', async () => {
    const root = makeFolder({ 'AGENTS.md': 'the rules\n', 'a/AGENTS.md': 'more', 'a/CLAUDE.md': '\ufeffmore\n' });
    symlinkSync('AGENTS.md', path.join(root, 'CLAUDE.md'));
    expect(await docs(root, path.join(root, 'a'))).toBe('# AGENTS.md\n\nthe rules\n\n# a/AGENTS.md\n\nmore');
  });

  it("AGENTS.override.md takes the place of its folder's AGENTS.md", async () => {
    const root = makeFolder({ 'AGENTS.md': 'shared', 'AGENTS.override.md': 'mine', 'a/AGENTS.md': 'deeper' });
    expect(await docs(root, path.join(root, 'a'))).toBe('# AGENTS.override.md\n\nmine\n\n# a/AGENTS.md\n\ndeeper');
  });
});
