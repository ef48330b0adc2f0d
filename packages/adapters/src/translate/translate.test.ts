import { readFileSync } from 'node:fs';
import { isRecord } from '@attractor/base';
import { describe, expect, it } from 'vitest';
import type { AgentMessageBody } from '../agent.ts';
import { ACP_START, acpUsage, closeText, translateAcp } from './acp.ts';
import { CLAUDE_START, translateClaude } from './claude-code.ts';
import { translateCodex } from './codex.ts';
import type { Meaning } from './meaning.ts';

/** Lines of the real programs on the same small task, without what differs from machine to machine. */
function recorded(name: string): ReadonlyArray<Readonly<Record<string, unknown>>> {
  const text = readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => {
    const value: unknown = line === '' ? null : JSON.parse(line);
    return isRecord(value) ? [value] : [];
  });
}

/** In a few words, for a person who compares. */
function short(body: AgentMessageBody): string {
  if (body.kind === 'tool_call') return `${body.toolName}(${Object.keys(body.input).join(', ')})`;
  if (body.kind === 'tool_result') return `${body.toolName} → ${body.isError ? 'refused' : 'done'}`;
  if (body.kind === 'usage') return `usage ${body.model}`;
  return `${body.kind}: ${body.text.slice(0, 60)}`;
}

const withoutUsage = (told: ReadonlyArray<Meaning>): ReadonlyArray<string> =>
  told.flatMap(({ messages }) => messages.map(short)).filter((text) => !text.startsWith('usage'));

/** What the answer at the end says that the turn used; opencode counts its last request only. */
const USED: Readonly<Record<string, object>> = {
  'acp-gemini': { inputTokens: 76_066, outputTokens: 97 },
  'acp-gemini-tools': { inputTokens: 78_207, outputTokens: 100 },
  'acp-opencode': { inputTokens: 8_251, outputTokens: 2 },
};

describe('recorded lines', () => {
  it('of Claude Code', () => {
    let state = CLAUDE_START;
    const told = recorded('claude-code').map((line) => {
      const translated = translateClaude(state, line);
      state = translated.state;
      return translated.told;
    });
    expect(withoutUsage(told)).toEqual([
      'thinking: Considering the request.',
      'text: I look.',
      'Read(file_path)',
      'Read → done',
      'Edit(replace_all, file_path, old_string, new_string)',
      'Edit → done',
      'Write(file_path, content)',
      'Write → refused',
      'Bash(command, description)',
      'Bash → done',
      'mcp__attractor__report_outcome(outcome)',
      'mcp__attractor__report_outcome → done',
      'text: Done.',
    ]);
    expect(told.flatMap(({ session }) => session ?? [])[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(told.flatMap(({ deltas = [] }) => deltas)).toContainEqual({ kind: 'text_delta', text: 'I look.' });
    expect(told.at(-1)?.over).toEqual({ failure: null });
    const counted = told.flatMap(({ messages }) => messages.filter((body) => body.kind === 'usage'));
    expect(counted).toHaveLength(6);
    expect(counted.every(({ costUsd }) => costUsd !== null && costUsd > 0)).toBe(true);
  });

  it('of Codex', () => {
    const told = recorded('codex').map((line) => {
      const params = isRecord(line['params']) ? line['params'] : {};
      return translateCodex({ model: 'gpt-5.1-codex' }, String(line['method']), params).told;
    });
    expect(withoutUsage(told).slice(1)).toEqual([
      'text: I look.',
      'Bash(command)',
      'Bash → done',
      'apply_patch(changes)',
      'apply_patch → done',
      'apply_patch(changes)',
      'apply_patch → refused',
      'Bash(command)',
      'Bash → done',
      'text: Done.',
    ]);
    expect(told.at(-1)?.over).toEqual({ failure: null });
  });

  it('of Codex that reports and asks by the tools of the run', () => {
    const told = recorded('codex-tools').map((line) => {
      const params = isRecord(line['params']) ? line['params'] : {};
      return translateCodex({ model: 'gpt-5' }, String(line['method']), params).told;
    });
    expect(withoutUsage(told)).toEqual([
      expect.stringMatching(/^notice: Model metadata for/),
      'text: I look.',
      'Bash(command)',
      'Bash → done',
      'apply_patch(changes)',
      'apply_patch → done',
      'mcp__attractor__ask_human(question)',
      'mcp__attractor__ask_human → done',
      'Bash(command)',
      'Bash → done',
      'mcp__attractor__report_outcome(outcome)',
      'mcp__attractor__report_outcome → done',
      'text: Done.',
    ]);
  });

  it.each([
    ['acp-gemini', ['text: I look.', 'Read(title)', 'Read → done', 'Edit(title)', 'Edit → done']],
    ['acp-codex-acp', ['text: I look.']],
    [
      'acp-gemini-tools',
      [
        'text: I look.',
        'Read(title)',
        'Read → done',
        'Edit(title)',
        'Edit → done',
        'ask_human (attractor MCP Server)(title)',
        'ask_human (attractor MCP Server) → done',
        'Bash(title, command)',
        'Bash → done',
        'report_outcome (attractor MCP Server)(title)',
        'report_outcome (attractor MCP Server) → done',
        'text: Done.',
      ],
    ],
    [
      'acp-opencode',
      [
        'thinking: Considering the request.',
        'text: I look.',
        'Read(filePath)',
        'Read → done',
        'Edit(filePath, oldString, newString)',
        'Edit → done',
        'attractor_ask_human(question)',
        'attractor_ask_human → done',
        'Bash(command, cwd)',
        'Bash → done',
        'attractor_report_outcome(outcome)',
        'attractor_report_outcome → done',
        'text: Done.',
      ],
    ],
  ])('of an agent of the protocol (%s)', (name, first) => {
    let state = ACP_START;
    const lines = recorded(name);
    const told = lines.flatMap((line) => {
      const params = isRecord(line['params']) ? line['params'] : null;
      if (params === null) return [];
      const translated = translateAcp(state, params['update']);
      state = translated.state;
      return [translated.told];
    });
    const all = withoutUsage([...told, closeText(state).told]);
    expect(all.slice(0, first.length)).toEqual(first);
    expect(all.at(-1)).toBe('text: Done.');
    expect(all.filter((text) => text.includes('does not know'))).toEqual([]);
    const answer = lines.find((line) => isRecord(line['result']));
    if (isRecord(answer?.['result'])) expect(acpUsage(answer['result'])).toEqual(USED[name] ?? null);
    expect(state.costUsd).toBe(name === 'acp-opencode' ? 0.044366249999999996 : null);
  });
});

describe('lines of a kind that nobody knows', () => {
  it('are shown as they are', () => {
    const all = [
      translateClaude(CLAUDE_START, { type: 'tomorrow', a: 1 }).told,
      translateClaude(CLAUDE_START, { type: 'system', subtype: 'tomorrow' }).told,
      translateCodex({ model: '' }, 'tomorrow/came', { a: 1 }).told,
      translateCodex({ model: '' }, 'item/completed', { item: { type: 'tomorrow' } }).told,
      translateAcp(ACP_START, { sessionUpdate: 'tomorrow' }).told,
      translateAcp(ACP_START, 'tomorrow').told,
      translateClaude(CLAUDE_START, 42).told,
    ];
    for (const { messages } of all) expect(messages).toMatchObject([{ kind: 'notice', level: 'info' }]);
  });

  it('of a failure keep what the program said, and what it means', () => {
    const failed = (result: string, more: object = {}) =>
      translateClaude(CLAUDE_START, { type: 'result', subtype: 'success', is_error: true, result, ...more }).told.over
        ?.failure;
    expect(failed('Invalid API key · Please run /login')).toMatchObject({ code: 'authentication' });
    expect(failed('Claude usage limit reached.')).toMatchObject({ code: 'rate_limit', retryable: true });
    expect(failed('Overloaded', { api_error_status: 529 })).toMatchObject({ code: 'service', retryable: true });
    const turn = (error: object) =>
      translateCodex({ model: '' }, 'turn/completed', { turn: { status: 'failed', error } }).told.over?.failure;
    expect(turn({ message: '{"error":{"message":"No such model."}}', codexErrorInfo: 'modelNotFound' })).toEqual({
      code: 'model',
      message: 'No such model.',
      retryable: false,
    });
    expect(turn({ message: 'Slow down.', codexErrorInfo: 'usageLimitExceeded' })).toMatchObject({ code: 'rate_limit' });
  });
});
