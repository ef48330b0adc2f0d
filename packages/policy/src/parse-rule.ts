/*
 * Permission rules, as people write them in settings and flags:
 *   rule    := name [ '(' content ')' ]          the last character closes the content; it may hold parentheses itself
 *   content := a command with '*'                Bash
 *            | '!' commands between ' | '        Bash; every command but these; to deny only
 *            | a path in git's ignore syntax     Read, Edit, Write, MultiEdit, NotebookEdit, Cd
 *            | 'domain:' host                    WebFetch
 *            | the name of an agent or a skill   Agent, Task, Skill
 *            | parameter ':' value               any tool; to deny or ask only
 *   name    := a tool | 'mcp__' server [ '__' tool ]   '*' stands for any letters in the names of MCP tools
 */
import type { Failure } from '@attractor/base';
import { type ContentKind, ownNameOf } from '@attractor/tool-table';

import { readDomainPattern } from './domain-pattern.ts';
import { readPathPattern } from './path-pattern.ts';
import { contentKindOf, KNOWN_NAMES, ruleNameOf } from './rule-names.ts';
import type { Decision, PermissionRule, RuleOrigin } from './types.ts';

export type RuleError = Failure<'invalid_rule'>;

export type ParsedRule =
  | { readonly ok: true; readonly rule: PermissionRule }
  | { readonly ok: false; readonly error: RuleError };

/** Parses one rule. A rule without a meaning is refused with what was expected: it would allow or forbid nothing. */
export function parseRule(text: string, behavior: Decision, origin: RuleOrigin): ParsedRule {
  const shape = /^([A-Za-z_][\w.*-]*)(?:\((.*)\))?$/s.exec(text.trim());
  if (shape === null) return wrong(text, 'expected a tool, such as Bash, or Tool(content), such as Bash(git log *)');
  const [, written = '', content] = shape;
  const name = content === undefined ? written : ruleNameOf(written);
  const problem =
    problemOfName(name, behavior) ?? (content === undefined ? null : problemOf({ name, content, behavior, origin }));
  if (problem !== null) return wrong(text, problem);
  const whole = content === undefined || (content === '*' && WHOLE_BY_STAR.has(contentKindOf(name)));
  return { ok: true, rule: { behavior, tool: name, content: whole ? null : content, text: text.trim(), origin } };
}

/** The parameter and its value, if a rule's content is about one. */
export function parameterOf(name: string, content: string): { readonly name: string; readonly value: string } | null {
  const [, parameter, value] = /^([A-Za-z_][\w.-]*):(.*)$/s.exec(content) ?? [];
  if (parameter === undefined || value === undefined || value === '') return null;
  const known = PARAMETERS[contentKindOf(name)];
  return known === 'any' || known.includes(parameter) ? { name: parameter, value } : null;
}

/** For content types other than `parameter:value`: the parameters that rules may still use. */
const PARAMETERS: Readonly<Record<ContentKind, ReadonlyArray<string> | 'any'>> = {
  command: ['run_in_background', 'is_background', 'dangerouslyDisableSandbox', 'sandbox_permissions'],
  agent: ['model', 'run_in_background', 'isolation', 'subagent_type', 'max_turns', 'id'],
  domain: ['url'],
  parameter: 'any',
  read: [],
  edit: [],
  skill: [],
  folder: [],
};

const WHOLE_BY_STAR: ReadonlySet<ContentKind> = new Set<ContentKind>([
  'command',
  'agent',
  'skill',
  'parameter',
  'domain',
]);

function problemOfName(name: string, behavior: Decision): string | null {
  const meant = KNOWN_NAMES.find(
    (known) => known !== name && ownNameOf(known) !== name && known.toLowerCase() === name.toLowerCase(),
  );
  if (meant !== undefined) return `there is no tool ${name}; expected ${meant}`;
  if (!name.includes('*')) return null;
  if (!name.startsWith('mcp__')) return 'a star may stand only in the names of MCP tools, such as mcp__server__*';
  const [, server = ''] = /^mcp__((?:(?!__).)+)/.exec(name) ?? [];
  if (server === '') return 'expected mcp__server or mcp__server__tool';
  return behavior === 'allow' && server.includes('*')
    ? 'an allow rule names its server: expected mcp__server__*'
    : null;
}

type Given = {
  readonly name: string;
  readonly content: string;
  readonly behavior: Decision;
  readonly origin: RuleOrigin;
};

function problemOf(given: Given): string | null {
  const { name, content, behavior } = given;
  const kind = contentKindOf(name);
  if (content.trim() === '')
    return `nothing stands between the parentheses; expected ${EXPECTED[kind]}, or ${name} alone for all of it`;
  if (content === '*' && WHOLE_BY_STAR.has(kind)) return null;
  if (parameterOf(name, content) !== null && !(kind === 'command' && content.endsWith(':*'))) {
    return behavior === 'allow'
      ? `a parameter can only be denied or asked about; an allow rule would let every other parameter through. Expected ${EXPECTED_TO_ALLOW[kind]}`
      : null;
  }
  return CONTENT_PROBLEMS[kind]?.(given) ?? null;
}

const EXPECTED: Readonly<Record<ContentKind, string>> = {
  command: 'a command, such as Bash(npm test) or Bash(git log *)',
  read: 'a path, such as Read(src/**), Read(~/notes) or Read(//etc/hosts)',
  edit: 'a path, such as Edit(src/**), Edit(/docs/**) or Edit(//tmp/x)',
  folder: 'a folder, such as Cd(packages/**)',
  domain: 'a host, such as WebFetch(domain:example.com)',
  agent: 'the name of an agent, such as Agent(reviewer)',
  skill: 'the name of a skill, such as Skill(release)',
  parameter: 'a parameter and its value, such as Tool(name:value)',
};

const EXPECTED_TO_ALLOW: Readonly<Record<ContentKind, string>> = {
  ...EXPECTED,
  parameter: 'the name of the tool alone',
};

const CONTENT_PROBLEMS: Readonly<Partial<Record<ContentKind, (given: Given) => string | null>>> = {
  read: problemOfPath,
  edit: problemOfPath,
  folder: problemOfPath,
  domain: ({ content }) =>
    content.startsWith('domain:') && readDomainPattern(content.slice('domain:'.length)) !== null
      ? null
      : `expected ${EXPECTED.domain}: a host without scheme, port or path, "*." before it for all below it`,
  command: ({ content, behavior }) =>
    !content.startsWith('!') || behavior === 'deny'
      ? null
      : 'a rule about every command but some can only deny, such as Bash(!git log * | npm test)',
  agent: ({ content }) => (/^[\w .:*-]+$/.test(content) ? null : `expected ${EXPECTED.agent}`),
  parameter: () => `expected ${EXPECTED.parameter}`,
};

function problemOfPath({ name, content, origin }: Given): string | null {
  const read = readPathPattern(content, { cwd: '/', home: '/', root: origin.root });
  return read.ok ? null : `${read.reason}; expected ${EXPECTED[contentKindOf(name)]}`;
}

function wrong(text: string, problem: string): ParsedRule {
  return {
    ok: false,
    error: {
      code: 'invalid_rule',
      message: `The rule ${JSON.stringify(text)} is not understood: ${problem}.`,
      retryable: false,
    },
  };
}
