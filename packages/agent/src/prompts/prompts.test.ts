import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { runGit } from '../git/run-git.ts';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { makeFolder } from '../test-support/world.ts';
import { buildSystemPrompt } from './build.ts';
import { readProjectDocs } from './project-docs.ts';

const build = (root: string, userInstruction?: string): Promise<string> =>
  buildSystemPrompt({
    profile: createAnthropicProfile(),
    environment: createLocalExecutionEnvironment(root),
    config: {
      model: 'some-model',
      provider: 'anthropic',
      ...(userInstruction === undefined ? {} : { userInstruction }),
    },
  });

describe('the system prompt', () => {
  it('has its layers in order, each once (AC9.1, AC9.2, AC9.6)', async () => {
    const root = makeFolder({ 'AGENTS.md': 'Use tabs.' });
    const prompt = await build(root, 'Answer in German.');
    const places = ['You are a coding agent', '<environment>', '# Tools', 'Use tabs.', 'Answer in German.'].map(
      (text) => prompt.split(text).length === 2 && prompt.indexOf(text),
    );
    expect(places).toEqual(places.toSorted((a, b) => Number(a) - Number(b)));
    expect(places).not.toContain(false);
    expect(prompt).toContain(`Working directory: ${root}\nIs a git repository: no\nPlatform: ${process.platform}`);
    expect(prompt).toMatch(/Date: \d{4}-\d\d-\d\d\nModel: some-model\n<\/environment>/);
    expect(prompt.endsWith('Answer in German.')).toBe(true);
  });

  it('tells of the repository it works in', async () => {
    const root = makeFolder({ 'a.txt': 'x' });
    const author = { name: 'Ada', email: 'ada@example.test' };
    for (const args of [
      ['init', '-b', 'trunk'],
      ['add', '.'],
      ['commit', '-m', 'The first one'],
    ])
      await runGit(args, { cwd: root, author });
    const sub = createLocalExecutionEnvironment(makeFolder());
    await createLocalExecutionEnvironment(root).writeFile('new.txt', 'x');
    const prompt = await build(root);
    expect(prompt).toContain('Is a git repository: yes\nGit branch: trunk\n');
    expect(prompt).toContain('?? new.txt');
    expect(prompt).toContain('The first one');
    expect(await build(sub.workingDirectory())).not.toContain('Git branch');
  });

  it('works in a repository without a commit, and on a detached head', async () => {
    const root = makeFolder();
    await runGit(['init', '-b', 'trunk'], { cwd: root });
    expect(await build(root)).toContain('Git branch: trunk\n');
    const author = { name: 'Ada', email: 'ada@example.test' };
    await runGit(['commit', '--allow-empty', '-m', 'x'], { cwd: root, author });
    await runGit(['checkout', '--detach'], { cwd: root });
    expect(await build(root)).not.toContain('Git branch');
  });
});

describe('project documents', () => {
  const docs = (root: string, folder = root): Promise<string> =>
    readProjectDocs({
      environment: createLocalExecutionEnvironment(folder),
      root,
      fileNames: ['AGENTS.md', 'CLAUDE.md'],
    });

  it('come from the root down to the working directory, only the files of the profile (AC9.3, AC9.4)', async () => {
    const root = makeFolder({
      'AGENTS.md': 'root agents',
      'CLAUDE.md': 'root claude',
      'GEMINI.md': 'no',
      'a/AGENTS.md': 'a agents',
      'a/b/CLAUDE.md': 'b claude',
      'c/AGENTS.md': 'no',
    });
    const text = await docs(root, path.join(root, 'a/b'));
    expect(text).toBe(
      '# AGENTS.md\n\nroot agents\n\n# CLAUDE.md\n\nroot claude\n\n# a/AGENTS.md\n\na agents\n\n# a/b/CLAUDE.md\n\nb claude',
    );
  });

  it('are cut at 32 KB with a mark, at a whole character (AC9.5)', async () => {
    const text = await docs(makeFolder({ 'AGENTS.md': 'ü'.repeat(40_000) }));
    expect(Buffer.byteLength(text)).toBeLessThan(32 * 1024 + 100);
    expect(text).toMatch(/ü\n\[Project documents were cut at 32KB\.\]$/);
  });

  it('that are missing, empty, links outside or no text are passed over', async () => {
    const root = makeFolder({ 'AGENTS.md': ' \n', 'CLAUDE.md': 'a\0b' });
    expect(await docs(root)).toBe('');
  });
});
