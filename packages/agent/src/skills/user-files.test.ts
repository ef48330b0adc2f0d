import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createPolicy, parseRule } from '@attractor/policy';

import {
  describeProblem,
  examineTrust,
  openUserFiles,
  styleNamed,
  trustRepository,
  type UserFiles,
} from '@attractor/settings';
import { createSkillTool, rowsWithin } from './skill-tool.ts';

import { makeFolder } from '@attractor/base/testing';
import { createSlashCommandTool } from '../tools/plan/slash-command.ts';

import { type CallWorld, namedTexts } from './call-by-name.ts';

type Files = Readonly<Record<string, string>>;
type World = {
  readonly userHome?: Files;
  readonly own?: Files;
  readonly repository?: Files;
  readonly trusted?: boolean;
};

async function open({ userHome = {}, own = {}, repository = {}, trusted = true }: World) {
  const home = makeFolder(own);
  const root = makeFolder(repository);
  const examined = examineTrust(root, { home });
  if (trusted) await trustRepository(examined, { home });
  const person = makeFolder(userHome);
  const files = await openUserFiles({ home, userHome: person, trust: examineTrust(root, { home }) });
  return { files, root, person, home };
}

const names = (all: ReadonlyArray<{ readonly name: string }>): ReadonlyArray<string> => all.map(({ name }) => name);
const told = ({ problems }: UserFiles, folder: string): ReadonlyArray<string> =>
  problems.map((problem) => describeProblem(problem).replace(`${folder}/`, ''));
const left = ({ unmapped }: UserFiles): ReadonlyArray<string> =>
  unmapped.map(({ name, reason }) => `${name}: ${reason}`);

const SKILL = '---\nname: release\ndescription: Makes a release. Use when asked to ship.\n---\nDo the release.\n';
const skill = (name: string): string => `---\nname: ${name}\ndescription: About ${name}.\n---\nThis is ${name}.`;

describe('skills', () => {
  it('of a folder that is linked to another are listed once, of a repository and of a person', async () => {
    const root = makeFolder({ '.claude/skills/one/SKILL.md': skill('one'), '.agents/README.md': '' });
    const person = makeFolder({ '.agents/skills/two/SKILL.md': skill('two'), '.claude/settings.json': '{}' });
    symlinkSync('../.claude/skills', path.join(root, '.agents/skills'));
    symlinkSync('../.agents/skills', path.join(person, '.claude/skills'));
    const home = makeFolder();
    await trustRepository(examineTrust(root, { home }), { home });
    const files = await openUserFiles({ home, userHome: person, trust: examineTrust(root, { home }) });
    expect([names(files.skills), files.problems, left(files)]).toEqual([['two', 'one'], [], []]);
  });

  it('are found in every known folder, of the person and of a trusted repository', async () => {
    const { files } = await open({
      own: { 'skills/one/SKILL.md': skill('one') },
      userHome: {
        '.claude/skills/two/SKILL.md': skill('two'),
        '.agents/skills/three/SKILL.md': skill('three'),
        '.codex/skills/four/SKILL.md': skill('four'),
        '.gemini/skills/five/SKILL.md': skill('five'),
        '.config/opencode/skills/six/SKILL.md': skill('six'),
      },
      repository: {
        '.claude/skills/seven/SKILL.md': skill('seven'),
        '.agents/skills/eight/SKILL.md': skill('eight'),
        '.codex/skills/nine/SKILL.md': skill('nine'),
        '.gemini/skills/ten/SKILL.md': skill('ten'),
        '.opencode/skills/eleven/SKILL.md': skill('eleven'),
        '.attractor/skills/twelve/SKILL.md': skill('twelve'),
      },
    });
    expect(names(files.skills).toSorted()).toEqual(
      ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'].toSorted(),
    );
    expect(files.problems).toEqual([]);
  });

  it('of a repository that is not trusted are not there, nor are its commands, agents, styles and plugins', async () => {
    const repository = {
      '.claude/skills/release/SKILL.md': SKILL,
      '.claude/commands/go.md': 'Go.',
      '.claude/agents/a.md': '---\ndescription: x\n---\nBe a.',
      '.claude/output-styles/s.md': 'Speak.',
      '.agents/plugins/p/.claude-plugin/plugin.json': '{"name":"p"}',
    };
    const { files } = await open({ repository, userHome: { '.claude/x': '' }, trusted: false });
    expect(files).toEqual({
      skills: [],
      commands: [],
      agents: [],
      styles: [],
      plugins: [],
      problems: [],
      unmapped: [],
    });
    expect((await open({ repository })).files).toMatchObject({
      skills: [{}],
      commands: [{}],
      agents: [{}],
      styles: [{}],
      plugins: [{}],
    });
  });

  it("the person's own win over those of a repository, and what is hidden is told", async () => {
    const { files, person } = await open({
      userHome: { '.claude/skills/release/SKILL.md': SKILL },
      repository: { '.claude/skills/release/SKILL.md': SKILL.replace('Do the', 'Do another') },
    });
    expect(files.skills).toMatchObject([{ name: 'release', body: 'Do the release.', origin: { scope: 'user' } }]);
    expect(left(files)).toEqual([`skill release: hidden by ${person}/.claude/skills/release/SKILL.md`]);
  });

  it('may have a prefix with a colon, and one that is there by two ways is neither hidden nor listed twice', async () => {
    const text = SKILL.replace('name: release', 'name: n8n:release');
    const { files } = await open({
      userHome: { '.claude/skills/release/SKILL.md': text, '.agents/skills/release/SKILL.md': text },
    });
    expect(names(files.skills)).toEqual(['n8n:release']);
    expect([...left(files), ...files.problems]).toEqual([]);
  });

  it('that run commands are called without asking: each of their commands is judged on its own', () => {
    const skills = { list: () => [], runsCommands: true, read: async () => null };
    expect(createSkillTool(skills)).toMatchObject({ serial: true, judgesItself: true });
    expect(createSkillTool({ ...skills, runsCommands: false })).toMatchObject({ readOnly: true });
  });

  it.each([
    ['a name in capitals', '---\nname: Release\ndescription: x\n---\n', 'is called release, by its folder', 2],
    ['a long name', `---\nname: ${'a'.repeat(65)}\ndescription: x\n---\n`, '"name" must be at most 64 of a-z', 2],
    [
      'another name than its folder',
      '---\nname: other\ndescription: x\n---\n',
      'must be that of its folder: release',
      2,
    ],
    ['no description', '---\nname: release\n---\nText.', '"description" is missing', null],
    ['a long description', `---\nname: release\ndescription: ${'x'.repeat(1025)}\n---\n`, 'at most 1024 characters', 3],
    ['no end of the head', '---\nname: release\n', 'expected a line "---"', 1],
    ['a head that is not YAML', '---\nname: release\n  bad:\n - x: [\n---\n', 'not valid YAML', null],
    ['a wrong type', '---\nname: release\ndescription: [1]\n---\n', '"description" must be a text', 3],
  ])('with %s are told in one line', async (_what, text, expected, line) => {
    const { files, person } = await open({ userHome: { '.claude/skills/release/SKILL.md': text } });
    const [problem = ''] = told(files, person);
    expect(problem).toContain(expected);
    expect(problem).not.toContain('\n');
    if (line !== null) expect(problem).toMatch(new RegExp(`^\\.claude/skills/release/SKILL\\.md:${line}: `));
    if (expected.includes('by its folder')) expect(names(files.skills)).toEqual(['release']);
  });

  it.each([
    ['allowed-tools: { a: 1 }', '"allowed-tools" must be tools such as'],
    ['disallowed-tools: 7', '"disallowed-tools" must be tools such as'],
    ['disable-model-invocation: maybe', '"disable-model-invocation" must be true or false'],
    ['disallowed-tool: Bash', 'did you mean "disallowed-tools"?'],
  ])('with a limit that can not be read are not used: %s', async (line, expected) => {
    const text = SKILL.replace('---\nDo', `${line}\n---\nDo`);
    const { files, person } = await open({ userHome: { '.claude/skills/release/SKILL.md': text } });
    expect(files.skills).toEqual([]);
    expect(told(files, person)).toEqual([expect.stringMatching(/SKILL\.md:4: /)]);
    expect(told(files, person)[0]).toContain(expected);
  });

  it('keep what has no place here in the list', async () => {
    const text = SKILL.replace('---\nDo', 'model: opus\ncontext: fork\nflavour: sweet\n---\nDo');
    const { files } = await open({ userHome: { '.claude/skills/release/SKILL.md': text } });
    expect(files.skills).toHaveLength(1);
    expect(files.skills).toMatchObject([{ model: 'opus', fork: 'general-purpose' }]);
    expect(left(files).map((line) => line.split(':')[0])).toEqual(['flavour']);
    expect(files.unmapped[0]?.origin.line).toBe(6);
  });

  it.each([
    ['', ['model']],
    ['disable-model-invocation: true\n', []],
    ['context: fork\n', []],
  ])('name a model that does not count where a model reads them by itself (%j)', async (line, named) => {
    const text = SKILL.replace('---\nDo', `model: opus\n${line}---\nDo`);
    const { files } = await open({ userHome: { '.claude/skills/release/SKILL.md': text } });
    expect(files.skills).toMatchObject([{ model: 'opus' }]);
    expect(left(files).map((reason) => reason.split(':')[0])).toEqual(named);
  });

  it('heads that are nearly YAML are read as their authors meant them', async () => {
    const text = '---\nname: release\ndescription: Use when: asked to ship\nargument-hint: [what] [where]\n---\nGo.';
    const { files } = await open({ userHome: { '.claude/skills/release/SKILL.md': text } });
    expect(files.skills).toMatchObject([{ description: 'Use when: asked to ship', argumentHint: '[what] [where]' }]);
    expect(files.problems).toEqual([]);
  });

  it('are told to the model within a budget: the names of all, and as many descriptions as fit', () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ name: `skill-${index}`, description: 'd'.repeat(100) }));
    const rows = rowsWithin(many, 1000);
    expect(rows.map((row) => row.split(':')[0])).toEqual(many.map(({ name }) => `- ${name}`));
    expect(rows.join('\n').length).toBeLessThanOrEqual(1000 + rows.length);
    expect(rows.filter((row) => row.includes(': '))).not.toHaveLength(0);
  });
});

type Rights = { readonly allow?: ReadonlyArray<string>; readonly deny?: ReadonlyArray<string> };

function worldAt(root: string, { allow = [], deny = [] }: Rights = {}): CallWorld {
  const origin = { scope: 'user', file: null, line: null, root } as const;
  const rules = [...allow.map((text) => [text, 'allow'] as const), ...deny.map((text) => [text, 'deny'] as const)];
  const policy = createPolicy({
    rules: rules.flatMap(([text, behavior]) => {
      const parsed = parseRule(text, behavior, origin);
      return parsed.ok ? [parsed.rule] : [];
    }),
    mode: 'default',
    root,
    home: '/home/nobody',
    sandboxed: false,
  });
  return { policy, environment: createLocalExecutionEnvironment(root), sessionId: 'ses_1' };
}

const MARK = 'touch ran.txt && echo done';

describe('using them by name', () => {
  async function say(repository: Files, input: string, rights: Rights = {}) {
    const { files, root } = await open({ repository });
    const texts = namedTexts(files, () => worldAt(root, rights));
    return { said: await texts.fromPerson(input), texts, root };
  }

  it.each([
    ['$ARGUMENTS', 'All: $ARGUMENTS.', 'a "b c" d', 'All: a "b c" d.'],
    ['$1 counted from 1', '$1|$2|$3', 'a "b c"', 'a|b c|'],
    ['$0 counted from 0 where it is named', '$0|$1', 'a b', 'a|b'],
    ['$ARGUMENTS[N] counted from 0', '$ARGUMENTS[1]', 'a b', 'b'],
    ['arguments behind a text that names none', 'Look.', 'at this', 'Look.\n\nARGUMENTS: at this'],
    ['other words with a dollar', 'costs $5x and $HOME', '', 'costs x and $HOME'],
    ['what is not asked for', 'Look.', '', 'Look.'],
  ])('a command puts in %s', async (_what, template, given, expected) => {
    const { said } = await say({ '.claude/commands/look.md': template }, `/look ${given}`);
    expect(said).toEqual({ ok: true, text: expected });
  });

  it('a skill says where its files are and puts in names, its folder and the session', async () => {
    const body = '$file in ${CLAUDE_SESSION_ID} by ${CLAUDE_SKILL_DIR}/run.sh';
    const text = `---\nname: fix\ndescription: Fixes.\narguments: file reason\n---\n${body}`;
    const { said, root } = await say({ '.claude/skills/fix/SKILL.md': text }, '/fix a.ts now');
    const folder = `${root}/.claude/skills/fix`;
    const rest = `a.ts in ses_1 by ${folder}/run.sh`;
    expect(said).toEqual({ ok: true, text: `The other files of this skill are in ${folder}\n\n${rest}` });
  });

  it('names with folders are a:b, and are found by their end while only one has it', async () => {
    const files = { '.claude/commands/front/test.md': 'front', '.gemini/commands/git/commit.toml': 'prompt = "c"' };
    expect((await say(files, '/front:test')).said).toEqual({ ok: true, text: 'front' });
    expect((await say(files, '/test')).said).toEqual({ ok: true, text: 'front' });
    expect((await say(files, '/git:commit')).said).toEqual({ ok: true, text: 'c' });
    expect((await say({ ...files, '.claude/commands/back/test.md': 'back' }, '/test')).said).toBeNull();
    expect((await say(files, 'a /test')).said).toBeNull();
    expect((await say(files, '/usr/bin is full')).said).toBeNull();
  });

  it("Gemini's form puts arguments in, quoted where they are part of a command, and reads files", async () => {
    const prompt = `prompt = """Say {{args}}: !{echo {{args}}} @{note.txt} @{missing.txt}"""`;
    const files = { '.gemini/commands/say.toml': prompt, 'note.txt': 'noted' };
    const { said } = await say(files, "/say it's $(id)");
    expect(said).toEqual({
      ok: true,
      text: 'Say it\'s $(id): it\'s $(id) \n<file path="note.txt">\nnoted\n</file>\n @{missing.txt}',
    });
  });

  it('a command in a text runs only where the policy allows it; else nothing of the text is given', async () => {
    const files = { '.claude/commands/go.md': `Now !\`${MARK}\`!` };
    const refused = await say(files, '/go');
    expect(refused.said).toMatchObject({ ok: false, message: expect.stringContaining('was not run') });
    expect(await refused.texts.commands.run({ name: 'go', arguments: '', context: undefined })).toMatchObject({
      isError: true,
    });
    const { said, root } = await say(files, '/go', { allow: ['Bash(touch *)', 'Bash(echo *)'] });
    expect(said).toEqual({ ok: true, text: 'Now done!' });
    expect(execFileSync('ls', { cwd: root, encoding: 'utf8' })).toContain('ran.txt');
  });

  it('allowed-tools allow the commands of their own file, never all of a tool, and never against a deny rule', async () => {
    const go = (allowed: string): Files => ({
      '.claude/commands/go.md': `---\nallowed-tools: ${allowed}\n---\n!\`touch ran.txt\``,
    });
    expect((await say(go('Bash(touch:*)'), '/go')).said).toEqual({ ok: true, text: '' });
    expect((await say(go('Bash'), '/go')).said).toMatchObject({ ok: false });
    expect((await say(go('Bash(touch:*)'), '/go', { deny: ['Bash(touch *)'] })).said).toMatchObject({
      ok: false,
    });
  });

  it('what a caller gives is never taken for a command, a file or a value', async () => {
    const files = { '.claude/commands/go.md': 'Do $ARGUMENTS', 'secret.txt': 'secret' };
    const given = '!`touch ran.txt` @secret.txt $1';
    const { said, root } = await say(files, `/go ${given}`, { allow: ['Bash(touch *)'] });
    expect(said).toEqual({ ok: true, text: `Do ${given}` });
    expect(execFileSync('ls', { cwd: root, encoding: 'utf8' })).not.toContain('ran.txt');
  });

  it('arguments that would make another command of a command are judged with it', async () => {
    const files = { '.claude/commands/go.md': '---\nallowed-tools: Bash(echo:*)\n---\n!`echo $1`' };
    const { said, root } = await say(files, '/go "x; touch ran.txt"');
    expect(said).toMatchObject({ ok: false });
    expect(execFileSync('ls', { cwd: root, encoding: 'utf8' })).not.toContain('ran.txt');
  });

  it('files that rules deny are not put in', async () => {
    const files = { '.claude/commands/go.md': 'See @note.txt and @secret.txt.', 'note.txt': 'n', 'secret.txt': 's' };
    const { said } = await say(files, '/go', { deny: ['Read(secret.txt)'] });
    expect(said).toEqual({ ok: true, text: 'See \n<file path="note.txt">\nn\n</file>\n and @secret.txt.' });
  });

  it('models have a Skill tool and a SlashCommand tool that keep what is not for them to themselves', async () => {
    const { files, root } = await open({
      repository: {
        '.claude/skills/release/SKILL.md': SKILL,
        '.claude/skills/mine/SKILL.md': skill('mine').replace('---\nThis', 'disable-model-invocation: true\n---\nThis'),
        '.claude/commands/look.md': '---\ndescription: Looks.\n---\nLook at $1.',
        '.claude/commands/secret.md': '---\ndisable-model-invocation: true\n---\nx',
      },
    });
    const texts = namedTexts(files, () => worldAt(root));
    const [skillTool, commandTool] = [createSkillTool(texts.skills), createSlashCommandTool(texts.commands)];
    expect(skillTool.definition.description).toContain('- release: Makes a release. Use when asked to ship.');
    expect(skillTool.definition.description).not.toContain('mine');
    expect(commandTool.definition.description).toContain('/look: Looks.');
    expect(commandTool.definition.description).not.toContain('secret');
    const env = createLocalExecutionEnvironment(root);
    expect(await skillTool.executor({ skill: 'release' }, env)).toContain('Do the release.');
    expect(await skillTool.executor({ skill: 'mine' }, env)).toMatchObject({
      isError: true,
      output: expect.stringContaining('Known: release'),
    });
    expect(await commandTool.executor({ command: '/look here' }, env)).toBe('Look at here.');
    expect(await commandTool.executor({ command: '/secret' }, env)).toMatchObject({ isError: true });
    expect(await texts.fromPerson('/secret')).toMatchObject({ ok: true });
    expect(await texts.fromPerson('/mine')).toMatchObject({ ok: true });
  });
});

describe('agent files', () => {
  const agent = async (file: string, text: string) => {
    const { files, root } = await open({ repository: { [file]: text } });
    return { definition: files.agents[0]?.definition ?? null, told: told(files, root), left: left(files) };
  };

  it('of Claude Code give tools, limits, model and turns', async () => {
    const text =
      '---\nname: reviewer\ndescription: Reviews.\ntools: Read, Grep, Bash(git diff *)\ndisallowedTools: Write, Bash(git push *)\nmodel: opus\npermissionMode: plan\nmaxTurns: 4\ncolor: red\nmemory: user\n---\nYou review.';
    const { definition, told: problems, left: unmapped } = await agent('.claude/agents/reviewer.md', text);
    expect(definition).toEqual({
      name: 'reviewer',
      description: 'Reviews.',
      prompt: 'You review.',
      tools: ['Read', 'Grep', 'Bash'],
      disallowedTools: ['Write', 'Bash(git push *)'],
      permissionMode: 'plan',
      model: 'opus',
      maxTurns: 4,
      memory: 'user',
    });
    expect(problems).toEqual([]);
    expect(unmapped.map((line) => line.split(':')[0])).toEqual(['tools']);
  });

  it('of opencode give what they forbid as rules', async () => {
    const text =
      '---\ndescription: Plans.\nmode: subagent\nmodel: anthropic/claude\nsteps: 3\npermission:\n  edit: deny\n  webfetch: ask\n  bash:\n    "git push *": deny\n    "*": ask\ntools:\n  write: false\n---\nPlan.';
    const { definition } = await agent('.opencode/agent/planner.md', text);
    expect(definition).toMatchObject({
      name: 'planner',
      maxTurns: 3,
      disallowedTools: ['Edit', 'Bash(git push *)'],
    });
  });

  it('of Gemini give tools and turns', async () => {
    const text =
      '---\nname: tester\ndescription: Tests.\nkind: local\ntools:\n  - read_file\n  - run_shell_command\nmax_turns: 7\ntimeout_mins: 5\n---\nTest.';
    const { definition, left: unmapped } = await agent('.gemini/agents/tester.md', text);
    expect(definition).toMatchObject({ name: 'tester', tools: ['read_file', 'run_shell_command'], maxTurns: 7 });
    expect(unmapped).toEqual(['timeout_mins: an agent works until it is done or stopped']);
  });

  it.each([
    ['.claude/agents/a.md', 'tools: { a: 1 }', '"tools" must be tools such as'],
    ['.claude/agents/a.md', 'permissionMode: sudo', '"permissionMode" must be one of'],
    ['.claude/agents/a.md', 'disallowedTools: Bash(', 'is neither a tool nor a rule'],
    ['.claude/agents/a.md', 'disalowedTools: Bash', 'did you mean "disallowedTools"?'],
    ['.claude/agents/a.md', 'isolation: container', '"isolation" must be worktree'],
    ['.claude/agents/a.md', 'maxTurns: many', '"maxTurns" must be a whole number'],
    ['.opencode/agent/a.md', 'permission: { edit: never }', 'must be allow, ask or deny'],
    ['.opencode/agent/a.md', 'permission: { nuke: deny }', 'a tool that is not known here'],
  ])('with a limit that can not be read are not used: %s %s', async (file, line, expected) => {
    const { definition, told: problems } = await agent(file, `---\ndescription: x\n${line}\n---\nBe.`);
    expect(definition).toBeNull();
    expect(problems).toEqual([expect.stringContaining(`${file}:3: `)]);
    expect(problems[0]).toContain(expected);
  });
});

describe('styles and plugins', () => {
  it('a style is found by its name, whatever its case', async () => {
    const { files } = await open({
      userHome: {
        '.claude/output-styles/terse.md':
          '---\nname: Terse\ndescription: Short.\nkeep-coding-instructions: false\n---\nBe short.',
      },
    });
    expect(styleNamed(files.styles, 'terse')).toMatchObject({ name: 'Terse', body: 'Be short.' });
    expect(styleNamed(files.styles, 'default')).toBeNull();
    expect(left(files)).toEqual(['keep-coding-instructions: the instructions for coding always stay']);
  });

  const PLUGIN: Files = {
    '.claude-plugin/plugin.json':
      '{\n "name": "tools",\n "description": "Our tools.",\n "lspServers": {},\n "mcpServers": ["./more.json", { "in": { "command": "in" } }]\n}',
    'skills/release/SKILL.md': SKILL,
    'commands/go.md': 'Go ${CLAUDE_PLUGIN_ROOT}/go, ${CLAUDE_PLUGIN_DATA}.',
    'agents/helper.md': '---\ndescription: Helps.\n---\nHelp.',
    'output-styles/loud.md': 'LOUD',
    'hooks/hooks.json':
      '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"${CLAUDE_PLUGIN_ROOT}/check.sh"}]}]}}',
    'more.json': '{"mcpServers":{"more":{"command":"more"}}}',
    '.mcp.json': '{"mcpServers":{"db":{"command":"${CLAUDE_PLUGIN_ROOT}/db"}}}',
  };
  const under = (folder: string): Files =>
    Object.fromEntries(Object.entries(PLUGIN).map(([name, text]) => [`${folder}/${name}`, text]));

  it.each([
    ['of a trusted repository', { repository: under('.agents/plugins/tools') }, 'project'],
    ["of the person's own", { userHome: under('.agents/plugins/tools') }, 'user'],
    ['of this program', { own: under('plugins/tools') }, 'user'],
  ] as const)('a plugin %s brings its parts under its name', async (_what, world, scope) => {
    const { files } = await open(world);
    const [plugin] = files.plugins;
    const root = plugin?.tree.root ?? '';
    expect(names(files.skills)).toEqual(['tools:release']);
    expect(names(files.commands)).toEqual(['tools:go']);
    expect(files.agents.map(({ definition }) => definition.name)).toEqual(['tools:helper']);
    expect(names(files.styles)).toEqual(['tools:loud']);
    expect(plugin?.hooks).toMatchObject([
      {
        event: 'PreToolUse',
        value: { hooks: [{ command: `${root}/check.sh` }] },
        origin: { scope },
        variables: { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: `${root}/.data` },
      },
    ]);
    expect(files.commands[0]?.template).toBe(`Go ${root}/go, ${root}/.data.`);
    expect([...(plugin?.mcpServers ?? [])]).toMatchObject([
      ['plugin_tools_in', { value: { command: 'in' } }],
      ['plugin_tools_db', { value: { command: `${root}/db` } }],
      ['plugin_tools_more', { value: { command: 'more' } }],
    ]);
    expect(left(files)).toEqual(['lspServers: no language servers are started']);
  });

  it('of the plugins of Claude Code those count that are installed and switched on', async () => {
    const userHome = makeFolder({
      ...under('.claude/plugins/cache/shop/tools/1.0'),
      ...under('.claude/plugins/marketplaces/shop/plugins/tools'),
      '.claude/settings.json': '{"enabledPlugins":{"tools@shop":true,"other@shop":false}}',
    });
    const list = { plugins: { 'tools@shop': [{ installPath: `${userHome}/.claude/plugins/cache/shop/tools/1.0` }] } };
    const { files } = await open({ userHome: {} });
    expect(files.plugins).toEqual([]);
    const again = async (text: string) => {
      writeFileSync(`${userHome}/.claude/plugins/installed_plugins.json`, text);
      const home = makeFolder();
      return openUserFiles({ home, userHome, trust: examineTrust(home, { home }) });
    };
    expect(names((await again(JSON.stringify(list))).skills)).toEqual(['tools:release']);
    const off = { plugins: { 'other@shop': list.plugins['tools@shop'], 'unknown@shop': list.plugins['tools@shop'] } };
    expect((await again(JSON.stringify(off))).plugins).toEqual([]);
    expect((await again('{')).problems).toHaveLength(1);
    rmSync(`${userHome}/.claude/plugins/cache/shop/tools/1.0/.claude-plugin`, { recursive: true });
    expect(names((await again(JSON.stringify(list))).skills)).toEqual(['tools:release']);
  });

  it('a guard that is written as one group and not as a list of them is none the less a guard', async () => {
    const group = '{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}';
    const { files } = await open({
      repository: {
        ...under('.agents/plugins/t'),
        '.agents/plugins/t/hooks/hooks.json': `{"hooks":{"PreToolUse":${group}}}`,
      },
    });
    expect(files.plugins[0]?.hooks).toMatchObject([{ event: 'PreToolUse', value: { matcher: 'Bash' } }]);
  });

  it('a manifest with a mistake is told with its line and left out', async () => {
    const { files, root } = await open({
      repository: { '.agents/plugins/p/.claude-plugin/plugin.json': '{\n "name": "../x"\n}' },
    });
    expect(files.plugins).toEqual([]);
    expect(told(files, root)).toEqual([
      '.agents/plugins/p/.claude-plugin/plugin.json:2: "name" must be letters, digits and single hyphens',
    ]);
  });
});
