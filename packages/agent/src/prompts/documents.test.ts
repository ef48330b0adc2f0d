import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createProfile } from '../profiles/choose.ts';
import { describeProblem, importsOf, withoutComments } from '@attractor/settings';
import { makeFolder } from '@attractor/base/testing';
import { createNestedDocs, withNestedDocs } from './nested-docs.ts';
import { findProjectDocs, readProjectDocs } from './project-docs.ts';
import { readUserDocs } from './user-docs.ts';

const NAMES = ['AGENTS.md', 'CLAUDE.md'];

const query = (root: string, fileNames: ReadonlyArray<string> = NAMES, folder = root) => ({
  environment: createLocalExecutionEnvironment(folder),
  root,
  fileNames,
});
const told = (root: string, fileNames?: ReadonlyArray<string>) => readProjectDocs(query(root, fileNames));
const problems = async (root: string) =>
  (await findProjectDocs(query(root))).problems.map((one) => describeProblem(one).replaceAll(`${root}/`, ''));

describe('documents that import others', () => {
  it('are told with them, in order, each once', async () => {
    const root = makeFolder({
      'AGENTS.md': 'agents',
      'CLAUDE.md': 'See @AGENTS.md, @docs/style.md and @docs/style.md.',
      'docs/style.md': 'style, more in @./deep/more.md',
      'docs/deep/more.md': 'more',
    });
    expect(await told(root)).toBe(
      '# AGENTS.md\n\nagents\n\n# CLAUDE.md\n\nSee @AGENTS.md, @docs/style.md and @docs/style.md.\n\n# docs/style.md\n\nstyle, more in @./deep/more.md\n\n# docs/deep/more.md\n\nmore',
    );
  });

  it('follow four files in a row and no more', async () => {
    const files = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((number) => [`${number}.md`, `number ${number} @${number + 1}.md`]),
    );
    const root = makeFolder({ 'CLAUDE.md': '@1.md', ...files });
    const text = await told(root);
    expect(text).toContain('number 4');
    expect(text).not.toContain('number 5');
    expect(await problems(root)).toEqual(['4.md:1: imports 5.md, the fifth file in a row: at most 4 are followed']);
  });

  it('that import each other are told once, and the circle is told with file and line', async () => {
    const root = makeFolder({ 'CLAUDE.md': 'one\n\n@a.md', 'a.md': 'two\n@b.md', 'b.md': 'three\nback to @a.md' });
    expect((await told(root)).match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
    expect(await problems(root)).toEqual(['b.md:2: imports in a circle: a.md → b.md → a.md']);
  });

  it('never lead out of the repository', async () => {
    const outside = makeFolder({ 'secret.md': 'secret' });
    const root = makeFolder({
      'CLAUDE.md': `@${outside}/secret.md\n@../${path.basename(outside)}/secret.md\n@~/.ssh/id.md\n@link.md\n@missing.md`,
    });
    symlinkSync(path.join(outside, 'secret.md'), path.join(root, 'link.md'));
    expect(await told(root)).not.toContain('\nsecret');
    expect(await problems(root)).toEqual([
      `CLAUDE.md:1: imports ${outside}/secret.md, which is outside and is not read`,
      `CLAUDE.md:2: imports ../${path.basename(outside)}/secret.md, which is outside and is not read`,
      'CLAUDE.md:3: imports ~/.ssh/id.md, which is outside and is not read',
      "CLAUDE.md:4: imports link.md, which can't be read",
      "CLAUDE.md:5: imports missing.md, which can't be read",
    ]);
  });

  it('are those of Claude Code and Gemini CLI: in AGENTS.md an @ is a letter', async () => {
    const root = makeFolder({
      'AGENTS.md': '@x.md',
      'GEMINI.md': '@y.md',
      'x.md': 'from agents',
      'y.md': 'from gemini',
    });
    expect(await told(root, ['AGENTS.md', 'GEMINI.md'])).toBe(
      '# AGENTS.md\n\n@x.md\n\n# GEMINI.md\n\n@y.md\n\n# y.md\n\nfrom gemini',
    );
  });

  it.each([
    ['code', 'a `@x.md` b', []],
    ['a block of code', '```\n@x.md\n```\n@y.md', ['y.md']],
    ['an address', 'mail me@x.md', []],
    ['a person', 'ask @alice about it', ['alice']],
    ['the end of a sentence', 'See @docs/a.md.', ['docs/a.md']],
    ['a blank in a name', '@my\\ file.md', ['my file.md']],
  ])('know an import from %s', (_what, text, expected) => {
    expect(importsOf(text).map(({ path: name }) => name)).toEqual(expected);
  });

  it.each([
    ['a\n<!-- note -->\nb', 'a\nb'],
    ['a <!-- one\ntwo --> b', 'a  b'],
    ['`<!-- code -->`', '`<!-- code -->`'],
    ['```html\n<!-- code -->\n```', '```html\n<!-- code -->\n```'],
    ['<!-- open', '<!-- open'],
  ])('are told without their comments: %j', (text, expected) => {
    expect(withoutComments(text)).toBe(expected);
  });
});

describe('the other documents of Claude Code', () => {
  it('.claude/CLAUDE.md stands in for CLAUDE.md; CLAUDE.local.md and rules come behind', async () => {
    const root = makeFolder({
      '.claude/CLAUDE.md': 'inner <!-- hidden -->',
      'CLAUDE.local.md': 'local',
      '.claude/rules/b.md': 'rule b',
      '.claude/rules/a/deep.md': '---\npaths:\n---\nrule a',
      '.claude/rules/c.md': '---\npaths: "**/*.ts"\n---\nrule c',
    });
    const text = await told(root);
    expect(text).toBe(
      '# .claude/CLAUDE.md\n\ninner\n\n# CLAUDE.local.md\n\nlocal\n\n# .claude/rules/a/deep.md\n\nrule a\n\n# .claude/rules/b.md\n\nrule b',
    );
    expect(await told(root, ['AGENTS.md'])).toContain('inner');
  });

  it('both files of CLAUDE.md count, in UTF-16 too; what can not be read is told once, also at a start', async () => {
    const outside = makeFolder({ 'there.md': 'from outside' });
    const root = makeFolder({ '.claude/CLAUDE.md': 'inner' });
    writeFileSync(path.join(root, 'CLAUDE.md'), Buffer.from('\ufefföuter', 'utf16le'));
    writeFileSync(path.join(root, 'AGENTS.md'), Buffer.from('caf\u00e9', 'latin1'));
    symlinkSync(path.join(outside, 'there.md'), path.join(root, 'CLAUDE.local.md'));
    expect(await told(root)).toBe('# CLAUDE.md\n\nöuter\n\n# .claude/CLAUDE.md\n\ninner');
    const expected = [
      'AGENTS.md: is not a text in UTF-8 or UTF-16: it is not read',
      'CLAUDE.local.md: is a link that leads out of the repository, or nowhere: it is not read',
    ];
    expect(await problems(root)).toEqual(expected);
    const lines: string[] = [];
    await readProjectDocs({ ...query(root), onCut: (line) => lines.push(line.replaceAll(`${root}/`, '')) });
    expect(lines).toEqual(expected);
  });

  it('a rule whose head can not be read is told, and counts everywhere', async () => {
    const root = makeFolder({ '.claude/rules/a.md': '---\npaths: 7\n---\nrule a' });
    expect(await told(root)).toContain('rule a');
    expect(await problems(root)).toEqual(['.claude/rules/a.md:2: "paths" must be a list of patterns']);
  });
});

describe('documents about some files', () => {
  const FILES = {
    'CLAUDE.md': 'root',
    '.claude/rules/ts.md': '---\npaths:\n  - "src/**/*.{ts,tsx}"\n---\nuse types',
    'src/a.ts': 'a',
    'src/b.md': 'b',
    'packages/x/CLAUDE.md': 'about x @more.md',
    'packages/x/more.md': 'more of x',
    'packages/x/src/c.txt': 'c',
  };

  it('are told when a file that they are about is read, each once', async () => {
    const root = makeFolder(FILES);
    const nested = createNestedDocs({ root, workingDirectory: root, fileNames: NAMES });
    expect((await nested.about('src/b.md')).text).toBe('');
    expect((await nested.about(path.join(root, 'src/a.ts'))).text).toBe('# .claude/rules/ts.md\n\nuse types');
    expect((await nested.about('src/a.ts')).text).toBe('');
    expect((await nested.about('packages/x/src/c.txt')).text).toBe(
      '# packages/x/CLAUDE.md\n\nabout x @more.md\n\n# packages/x/more.md\n\nmore of x',
    );
    expect((await nested.about('packages/x/src/c.txt')).text).toBe('');
    expect((await nested.about('/etc/passwd')).text).toBe('');
  });

  it.each(['anthropic', 'openai', 'gemini'] as const)('stand behind what %s read', async (id) => {
    const root = makeFolder({ ...FILES, 'packages/x/AGENTS.md': 'agents of x' });
    const profile = createProfile(id);
    const nested = createNestedDocs({ root, workingDirectory: root, fileNames: profile.projectDocFiles });
    const tool = withNestedDocs(profile, nested).toolRegistry.get('read_file');
    const file = 'packages/x/src/c.txt';
    const result = await tool?.executor({ file_path: file, path: file }, createLocalExecutionEnvironment(root));
    expect(result).toMatchObject({ isError: false });
    expect(JSON.stringify(result)).toMatch(/c.*<project_documents about=.*agents of x/);
    const again = await tool?.executor({ file_path: file, path: file }, createLocalExecutionEnvironment(root));
    expect(JSON.stringify(again)).not.toContain('project_documents');
  });
});

describe("a person's own documents", () => {
  it('are those of the family of the model, and those for every agent', async () => {
    const userHome = makeFolder({
      '.agents/AGENTS.md': 'for all',
      '.claude/CLAUDE.md': 'claude @~/notes.md',
      '.claude/rules/a.md': 'my rule',
      'notes.md': 'notes',
      '.codex/AGENTS.md': 'codex',
      '.gemini/GEMINI.md': 'gemini',
      '.config/opencode/AGENTS.md': 'for all',
    });
    const home = makeFolder({ 'AGENTS.md': 'ours' });
    const of = async (id: 'anthropic' | 'openai' | 'gemini') =>
      (await readUserDocs({ userHome, home, fileNames: createProfile(id).projectDocFiles })).docs.map(
        ({ text }) => text,
      );
    expect(await of('anthropic')).toEqual(['ours', 'for all', 'claude @~/notes.md', 'notes', 'my rule']);
    expect(await of('openai')).toEqual(['ours', 'for all', 'codex']);
    expect(await of('gemini')).toEqual(['ours', 'for all', 'gemini']);
    const { text } = await readUserDocs({ userHome, home, fileNames: ['CLAUDE.md'] });
    expect(text).toContain('# ~/.claude/CLAUDE.md\n\nclaude');
  });

  it('are none where there is no home', async () => {
    expect(await readUserDocs({ userHome: '/nowhere', home: '/nowhere/x', fileNames: NAMES })).toMatchObject({
      text: '',
      problems: [],
    });
  });
});

describe('instructions for other agents', () => {
  it('serve where a model has none of its own, with their files in mind; its own keep them away', async () => {
    const others = {
      'QWEN.md': 'qwen',
      '.github/copilot-instructions.md': 'copilot',
      '.cursorrules': 'cursor',
      '.windsurfrules': 'windsurf',
      '.goosehints': 'goose',
      '.cursor/rules/all.mdc': '---\ndescription: x\nglobs:\nalwaysApply: true\n---\nevery',
      '.cursor/rules/ts.mdc': '---\nglobs: *.ts\nalwaysApply: false\n---\nonly ts',
      '.clinerules/a.md': 'cline',
      '.clinerules/workflows/w.md': 'workflow',
    };
    const { docs, problems: wrong } = await findProjectDocs(query(makeFolder(others)));
    expect(docs.map(({ text, paths }) => [text, paths])).toEqual([
      ['qwen', null],
      ['copilot', null],
      ['cursor', null],
      ['windsurf', null],
      ['goose', null],
      ['every', null],
      ['only ts', ['*.ts']],
      ['cline', null],
    ]);
    expect(wrong).toEqual([]);
    const root = makeFolder({ '.cursor/rules/deep.mdc': '---\nglobs: deep/**\n---\nof the deep', 'deep/x.txt': '' });
    const nested = createNestedDocs({ root, workingDirectory: root, fileNames: NAMES });
    expect((await nested.about('deep/x.txt')).text).toContain('of the deep');
    expect(await told(makeFolder({ 'CLAUDE.md': 'claude' }), ['AGENTS.md', 'GEMINI.md'])).toContain('claude');
    expect(await told(makeFolder({ ...others, 'CLAUDE.md': 'claude' }))).toBe('# CLAUDE.md\n\nclaude');
  });
});
