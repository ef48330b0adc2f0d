import type { PromptOf } from '@attractor/platform';
import type { ApprovalRequest } from '@attractor/policy';
import { describe, expect, it } from 'vitest';
import { askForTool, type ApprovalTerminal, type Choice } from './tool-approval.ts';

const promptOf = (payload: ApprovalRequest): PromptOf<'tool_approval'> => ({
  id: 'prm_1',
  key: 'ATT-1.q1',
  taskId: 'tsk_1',
  runId: null,
  type: 'tool_approval',
  title: 'Allow shell?',
  payload,
  contentHash: 'h',
  status: 'pending',
  answer: null,
  createdAt: '',
  answeredAt: null,
});

const SHELL: ApprovalRequest = {
  toolCallId: 'c1',
  toolName: 'shell',
  input: { command: 'npm test' },
  shown: 'npm test',
  reason: 'what it does is not known',
  part: 'npm test',
  suggestions: [
    { rules: ['Bash(npm test)'], destination: 'session', file: null },
    { rules: ['Bash(npm test)'], destination: 'localSettings', file: '/w/.attractor/config.local.json' },
  ],
};

/** A person who chooses by the label, and types. */
function personWho(label: string | null, typed: string | null = '') {
  const seen: string[] = [];
  const offered: Choice[] = [];
  const terminal: ApprovalTerminal = {
    note: (text, title) => void seen.push(title, text),
    choose: async (message, options) => {
      seen.push(message);
      offered.push(...options);
      return options.find((option) => option.label === label)?.value ?? null;
    },
    text: async () => typed,
  };
  return { terminal, seen, offered };
}

describe('a tool’s approval at a terminal', () => {
  it('shows the exact command and why it is asked about, each rule and the file that it would go to', async () => {
    const person = personWho('Allow once');
    expect(await askForTool(promptOf(SHELL), person.terminal)).toEqual({ decision: 'approve' });
    expect(person.seen).toEqual(['shell: what it does is not known', 'npm test', 'Allow shell?']);
    expect(person.offered.map(({ label, hint }) => [label, hint])).toEqual([
      ['Allow once', undefined],
      ['Allow always, in this run', 'Bash(npm test)'],
      ['Allow always: writes to /w/.attractor/config.local.json', 'Bash(npm test)'],
      ['Edit before it runs', undefined],
      ['Explain', undefined],
      ['Deny', 'the agent is told why'],
    ]);
  });

  it('gives what was chosen, and nothing when the person leaves it', async () => {
    const answer = async (label: string | null, typed: string | null = '') =>
      askForTool(promptOf(SHELL), personWho(label, typed).terminal);
    expect(await answer('Allow always: writes to /w/.attractor/config.local.json')).toEqual({
      decision: 'approve',
      remember: { rules: ['Bash(npm test)'], destination: 'localSettings' },
    });
    expect(await answer('Edit before it runs', 'npm test -- --run')).toEqual({
      decision: 'approve',
      input: { command: 'npm test -- --run' },
    });
    expect(await answer('Deny', 'use make')).toEqual({ decision: 'reject', message: 'use make' });
    expect(await answer('Deny')).toEqual({ decision: 'reject' });
    expect([await answer(null), await answer('Deny', null), await answer('Edit before it runs', '')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('T29: lets nothing through that a terminal obeys, and offers no line to edit for what a line can not show', async () => {
    const command = 'echo \u001b]0;x\u0007\u202e';
    const { shown: _shown, ...hidden } = SHELL;
    const person = personWho('Deny');
    await askForTool(
      promptOf({
        ...hidden,
        toolName: 'she\u001bll',
        input: { command },
        suggestions: [{ rules: ['Bash(\u001b)'], destination: 'session', file: '/\u202ex' }],
      }),
      person.terminal,
    );
    const all = [...person.seen, ...person.offered.flatMap(({ label, hint }) => [label, hint ?? ''])].join('\n');
    expect(all).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(person.offered.map(({ value }) => value)).toEqual(['once', 'always:0', 'explain', 'deny']);
  });
});
