import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentSpec } from './agent-spec.ts';
import { firstMessage, laterMessage, parseParameters } from './messages.ts';
import { parseSpec } from './parse-spec.ts';

const DEVELOPER = `# Developer

You implement one task.
Work in small steps.

## Parameters

- TASK_FILE

## Your workflow

1. Read the task.
`;

function specOf(text: string, path = 'agents/developer.md'): AgentSpec {
  const parsed = parseSpec({ path, text });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function problemOf(text: string): string {
  const parsed = parseSpec({ path: 'a.md', text });
  return parsed.ok ? '' : parsed.error.message;
}

describe('an agent written as markdown', () => {
  it('has its name from the title', () => {
    expect(specOf(DEVELOPER).name).toBe('Developer');
    expect(specOf('#   Code   Reviewer  ##\n\nYou review.').name).toBe('Code   Reviewer');
  });

  it('has as system prompt what stands between the title and the first ##', () => {
    expect(specOf(DEVELOPER).systemPrompt).toBe('You implement one task.\nWork in small steps.');
  });

  it('keeps the rest as instructions for the first message', () => {
    expect(specOf(DEVELOPER).instructions).toBe(
      '## Parameters\n\n- TASK_FILE\n\n## Your workflow\n\n1. Read the task.',
    );
  });

  it('takes headings inside fenced code, and those of other levels, as text', () => {
    const spec = specOf('# A\n\n```md\n## no section\n```\n\n### Also text\n\n##no heading\n\n## Section\nx');
    expect(spec.systemPrompt).toBe('```md\n## no section\n```\n\n### Also text\n\n##no heading');
    expect(spec.instructions).toBe('## Section\nx');
  });

  it('is the same with a byte order mark, with CRLF and behind a comment', () => {
    const { path: _path, ...plain } = specOf(DEVELOPER);
    expect(specOf(`\ufeff${DEVELOPER.replaceAll('\n', '\r\n')}`)).toMatchObject(plain);
    expect(specOf(`<!-- licence\nof two lines -->\n${DEVELOPER}`)).toMatchObject(plain);
  });

  it.each<[string, string, RegExp]>([
    ['an empty file', '', /^a\.md:1: expected a title such as "# Developer"/],
    ['no title', '\n\nYou are nobody.\n', /^a\.md:3: expected a title/],
    ['a title without a name', '#\n\nText.', /^a\.md:1: expected a name after "#"/],
    ['text before the title', 'Hello.\n\n# A\n\nText.', /^a\.md:1: expected the title "# A" before any other text/],
    ['no prompt at all', '# A\n\n', /^a\.md:2: expected the system prompt/],
    [
      'no prompt before the first ##',
      '# A\n\n## Section\n\nText.',
      /^a\.md:2: expected the system prompt: text between/,
    ],
    ['a head that never ends', '---\nname: a\n', /^a\.md:1: expected a line "---"/],
    ['a head that is not YAML', '---\nname: a\nmodel: [x\n---\nText.', /^a\.md:\d: the head is not valid YAML/],
    ['a head that is a list', '---\n- a\n---\nText.', /^a\.md:2: expected fields/],
    [
      'turns that are not a number',
      '---\nname: a\nmaxTurns: many\n---\nx',
      /^a\.md:3: maxTurns: expected a whole number of 1 or more, not "many"/,
    ],
    [
      'tools that are no names',
      '---\ntools: 5\n---\nx',
      /^a\.md:2: tools: expected names such as "Read, Edit, Grep", not 5/,
    ],
    ['a name that is none', '---\nname: [a]\n---\nx', /^a\.md:2: name: expected a name/],
    ['nothing after the head', '---\nname: a\n---\n', /^a\.md:4: expected the system prompt after the head/],
  ])('with %s is refused with file, line and what is expected', (_what, text, expected) => {
    expect(problemOf(text)).toMatch(expected);
    expect(problemOf(text).split('\n')).toHaveLength(1);
  });

  it('never throws, whatever stands in the file', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('# A', '## B', '---', 'x: [', '```', 'text', '', '#', '\u0000', '<!--')),
        (lines) => {
          const parsed = parseSpec({ path: 'a.md', text: lines.join('\n') });
          return parsed.ok ? parsed.value.systemPrompt !== '' && parsed.value.name !== '' : parsed.error.message !== '';
        },
      ),
    );
  });
});

describe('the head of an agent file of another tool', () => {
  it("is understood as Claude Code's, whose body is the prompt whole", () => {
    const spec = specOf(
      '---\nname: reviewer\ndescription: Reviews.\ntools: Read, Grep, Glob, Bash(git:*)\nmodel: sonnet\npermissionMode: plan\nmaxTurns: 12\ncolor: red\nhooks: {}\n---\n\nYou review.\n\n## How\n\nWell.\n',
      '.claude/agents/reviewer.md',
    );
    expect(spec).toMatchObject({
      name: 'reviewer',
      description: 'Reviews.',
      tools: ['file.read', 'file.list', 'file.search'],
      model: 'sonnet',
      permissionMode: 'plan',
      maxTurns: 12,
      systemPrompt: 'You review.\n\n## How\n\nWell.',
      instructions: '',
      ignored: ['tools: Bash(git:*)', 'color', 'hooks'],
    });
  });

  it("is understood as opencode's, which names provider and model and forbids edits", () => {
    const spec = specOf(
      '---\ndescription: Plans.\nmode: primary\nmodel: anthropic/claude-sonnet-4-5\ntemperature: 0.1\nsteps: 5\ntools:\n  write: false\n  bash: false\npermission:\n  edit: deny\n  bash: ask\n---\nYou plan.\n',
      'plan.md',
    );
    expect(spec).toMatchObject({
      name: 'plan',
      provider: 'anthropic',
      model: 'claude-sonnet-4-5',
      maxTurns: 5,
      permissionMode: 'plan',
      tools: ['file.read', 'file.patch', 'file.delete', 'file.list', 'file.search'],
      ignored: ['mode', 'temperature', 'tools: bash', 'permission: bash'],
    });
  });

  it("is understood as Gemini's, with its own names of tools", () => {
    const spec = specOf(
      '---\nname: scout\nkind: local\ntools:\n  - read_file\n  - search_file_content\n  - run_shell_command\nmodel: inherit\nmax_turns: 30\n---\nYou look around.\n',
    );
    expect(spec).toMatchObject({ tools: ['file.read', 'file.search'], maxTurns: 30 });
    expect(spec.ignored).toEqual(['kind', 'tools: run_shell_command']);
    expect(spec.model).toBeUndefined();
  });

  it('takes tools away, and splits prompt and instructions where there is a title', () => {
    const spec = specOf('---\ndisallowedTools: Write, Edit\n---\n# Careful\n\nLook only.\n\n## More\n');
    expect(spec).toMatchObject({ name: 'Careful', systemPrompt: 'Look only.', instructions: '## More' });
    expect(spec.tools).toEqual(['file.read', 'file.delete', 'file.list', 'file.search']);
  });
});

describe('the parameters on stdin', () => {
  it('may be absent, empty, or one object', () => {
    expect(parseParameters('')).toEqual({ ok: true, value: {} });
    expect(parseParameters(' \n')).toEqual({ ok: true, value: {} });
    expect(parseParameters('\ufeff{"TASK_FILE":"a.md","n":{"deep":[1]}}')).toEqual({
      ok: true,
      value: { TASK_FILE: 'a.md', n: { deep: [1] } },
    });
  });

  it.each(['nonsense', '[1]', '"text"', '5', 'null', '{"a":'])('are refused in one line when they are %s', (text) => {
    const parsed = parseParameters(text);
    expect(!parsed.ok && parsed.error.message).toMatch(/^stdin .*: expected one JSON object of parameters/);
  });

  it('follow the instructions in the first message, which is never empty', () => {
    const spec = specOf(DEVELOPER);
    expect(firstMessage(spec, { TASK_FILE: 'tasks/a.md' })).toBe(
      `${spec.instructions}\n\n## Parameter values\n\n\`\`\`json\n{\n  "TASK_FILE": "tasks/a.md"\n}\n\`\`\``,
    );
    expect(firstMessage({ ...spec, instructions: '' }, {})).toBe('Begin.');
    expect(laterMessage({})).toBe('Continue.');
    expect(laterMessage({ A: 1 })).toContain('"A": 1');
  });
});
