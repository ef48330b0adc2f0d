import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defined } from '@attractor/base';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { readSource } from '@attractor/settings/testing';
import { makeFolder } from '@attractor/base/testing';
import {
  examineTrust,
  type HookDefinition,
  type HookEventName,
  type HookOutcome,
  readClineHooks,
  readHookDefinitions,
  trustRepository,
} from '@attractor/settings';

import { createHooks } from './hooks.ts';

const BASH = { session_id: 's', cwd: '/w', tool_name: 'Bash', tool_input: { command: 'ls', timeout_ms: 5 } };

async function fire(
  definitions: ReadonlyArray<HookDefinition>,
  [event, input]: readonly [HookEventName, Readonly<Record<string, unknown>>],
  root = makeFolder({}),
): Promise<{ readonly outcome: HookOutcome; readonly told: () => unknown }> {
  const hooks = createHooks({ definitions, environment: createLocalExecutionEnvironment(root) });
  onTestFinished(hooks.close);
  const outcome = await hooks.fire(event, input, { signal: new AbortController().signal });
  return { outcome, told: () => JSON.parse(readFileSync(path.join(root, 'told'), 'utf8')) };
}

function gemini(event: string, answer: unknown, matcher?: string): ReadonlyArray<HookDefinition> {
  const command = `cat > told; printf '%s' '${JSON.stringify(answer)}'`;
  const group = { ...defined({ matcher }), hooks: [{ type: 'command', command, timeout: 5000 }] };
  const origin = { scope: 'user', agent: 'gemini', file: '/h/.gemini/settings.json', line: null, name: null } as const;
  const { entries } = readSource({ form: 'gemini', text: JSON.stringify({ hooks: { [event]: [group] } }), origin });
  const read = readHookDefinitions(
    entries.map(({ key, value, origin: at }) => ({ event: key ?? '', value, origin: at })),
  );
  expect(read.problems).toEqual([]);
  return read.definitions;
}

describe("Gemini's hooks", () => {
  it('are told and understood in its own words, with milliseconds', async () => {
    const definitions = gemini(
      'BeforeTool',
      { hookSpecificOutput: { tool_input: { command: 'pwd' } } },
      'run_shell_command',
    );
    expect(definitions).toMatchObject([{ event: 'PreToolUse', handlers: [{ timeoutMs: 5000 }] }]);
    const { outcome, told } = await fire(definitions, ['PreToolUse', BASH]);
    expect(told()).toMatchObject({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' });
    expect(outcome.updatedInput).toEqual({ command: 'pwd', timeout_ms: 5 });
  });

  it.each([
    ['BeforeTool', 'PreToolUse', { decision: 'deny', reason: 'no' }, { block: 'no' }],
    ['BeforeTool', 'PreToolUse', { decision: 'allow' }, { block: null, permission: null }],
    ['BeforeTool', 'PreToolUse', { decision: 'ask', reason: 'look' }, { permission: { word: 'ask', reason: 'look' } }],
    ['AfterAgent', 'Stop', { decision: 'deny', reason: 'more' }, { block: 'more' }],
    ['BeforeAgent', 'UserPromptSubmit', { hookSpecificOutput: { additionalContext: 'c' } }, { context: ['c'] }],
    ['SessionStart', 'SessionStart', { continue: false, stopReason: 'off' }, { stop: 'off' }],
  ] as const)('%s answers as %s: %j', async (theirs, event, answer, expected) => {
    const { outcome } = await fire(gemini(theirs, answer), [event, BASH]);
    expect(outcome).toMatchObject({ ran: 1, ...expected });
  });

  it('that watch its model have no place here, and are told', () => {
    const origin = { scope: 'user', agent: 'gemini', file: '/h/settings.json', line: 1, name: null } as const;
    const written = { event: 'BeforeModel', value: { hooks: [{ type: 'command', command: 'x' }] }, origin };
    expect(readHookDefinitions([written])).toMatchObject({
      definitions: [],
      problems: [],
      unused: [expect.stringContaining('BeforeModel')],
    });
  });
});

describe("Cline's hooks", () => {
  function program(folder: string, name: string, answer: unknown): void {
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\ncat > told\nprintf '%s' '${JSON.stringify(answer)}'\n`);
    chmodSync(file, 0o755);
  }

  it('are programs named after their events, and answer in its own words', async () => {
    const userHome = makeFolder({});
    const folder = path.join(userHome, 'Documents/Cline/Hooks');
    program(folder, 'PreToolUse', { cancel: true, errorMessage: 'not here', contextModification: 'why' });
    program(folder, 'Unknown', {});
    writeFileSync(path.join(folder, 'PostToolUse'), 'no program');
    const definitions = readClineHooks({ trust: examineTrust(makeFolder({}), { home: userHome }), userHome });
    expect(definitions.map(({ event }) => event)).toEqual(['PreToolUse']);
    const { outcome, told } = await fire(definitions, ['PreToolUse', BASH]);
    expect(outcome).toMatchObject({ block: 'not here', context: ['why'] });
    expect(told()).toMatchObject({
      hookName: 'PreToolUse',
      taskId: 's',
      workspaceRoots: ['/w'],
      preToolUse: { toolName: 'Bash', parameters: { command: 'ls' } },
    });
  });

  it('of a repository are there only once it is trusted', async () => {
    const home = makeFolder({});
    const root = makeFolder({});
    program(path.join(root, '.clinerules/hooks'), 'TaskStart', { contextModification: 'hello' });
    const read = (): ReadonlyArray<HookDefinition> =>
      readClineHooks({ trust: examineTrust(root, { home }), userHome: home });
    expect(read()).toEqual([]);
    await trustRepository(examineTrust(root, { home }), { home });
    expect(read()).toMatchObject([{ event: 'SessionStart', matcher: 'startup', origin: { scope: 'project' } }]);
    const { outcome } = await fire(read(), ['SessionStart', { source: 'startup' }], root);
    expect(outcome.context).toEqual(['hello']);
  });
});
