import { makeFolder } from '@attractor/base/testing';
import {
  HOOK_EVENTS,
  type HookDefinition,
  type HookEventName,
  type HookHandler,
  type HookOutcome,
  type HookRun,
  readAnswer,
  readHookDefinitions,
  timeoutFor,
  WIRES,
} from '@attractor/settings';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createHooks, type Hooks, type HooksOptions } from './hooks.ts';

const { signal } = new AbortController();

function open(definitions: ReadonlyArray<HookDefinition>, more: Partial<HooksOptions> = {}): Hooks & { root: string } {
  const root = makeFolder();
  const hooks = createHooks({ definitions, environment: createLocalExecutionEnvironment(root), ...more });
  onTestFinished(hooks.close);
  return { ...hooks, root };
}

const silent: HookHandler = { kind: 'function', run: () => undefined };

/** As published: the field that a matcher looks at; null: the event has none, and a matcher says nothing. */
const MATCHED: Readonly<Record<string, string | null>> = {
  SessionStart: 'source',
  Setup: 'trigger',
  UserPromptSubmit: null,
  UserPromptExpansion: 'command_name',
  PreToolUse: 'tool_name',
  PermissionRequest: 'tool_name',
  PermissionDenied: 'tool_name',
  PostToolUse: 'tool_name',
  PostToolUseFailure: 'tool_name',
  PostToolBatch: null,
  Notification: 'notification_type',
  MessageDisplay: null,
  SubagentStart: 'agent_type',
  SubagentStop: 'agent_type',
  Stop: null,
  StopFailure: 'error',
  TaskCreated: null,
  TaskCompleted: null,
  InstructionsLoaded: 'load_reason',
  ConfigChange: 'source',
  CwdChanged: null,
  DirectoryAdded: null,
  FileChanged: 'file_path',
  WorktreeCreate: null,
  WorktreeRemove: null,
  PreCompact: 'trigger',
  PostCompact: 'trigger',
  Elicitation: 'mcp_server_name',
  ElicitationResult: 'mcp_server_name',
  SessionEnd: 'reason',
  PreModelSwitch: 'to_model',
  PostModelSwitch: 'to_model',
  TeammateIdle: null,
};

describe('what a matcher looks at', () => {
  it('is known of every event', () => {
    expect(Object.keys(MATCHED).toSorted()).toEqual(Object.keys(HOOK_EVENTS).toSorted());
  });

  it.each(Object.entries(MATCHED))('of %s is %s', async (name, field) => {
    const event = name as HookEventName;
    const hooks = open([{ event, matcher: 'this', handlers: [silent] }]);
    const ran = async (value: string): Promise<number> => {
      const told = field === 'file_path' ? `/somewhere/${value}` : value;
      return (await hooks.fire(event, { other: 'this', ...(field === null ? {} : { [field]: told }) }, { signal })).ran;
    };
    expect([await ran('this'), await ran('that')]).toEqual([1, field === null ? 1 : 0]);
  });
});

describe('how long a handler may take', () => {
  it.each([
    ['PreToolUse', 'command', undefined, 600],
    ['Stop', 'http', undefined, 600],
    ['Stop', 'mcp_tool', undefined, 600],
    ['Stop', 'prompt', undefined, 30],
    ['Stop', 'agent', undefined, 60],
    ['UserPromptSubmit', 'command', undefined, 30],
    ['UserPromptSubmit', 'agent', undefined, 30],
    ['MessageDisplay', 'command', undefined, 10],
    ['SessionEnd', 'command', undefined, 1.5],
    ['SessionEnd', 'command', 40, 40],
    ['SessionEnd', 'command', 90, 60],
    ['UserPromptSubmit', 'command', 120, 120],
    ['Stop', 'prompt', 90, 90],
    ['PreToolUse', 'command', 5, 5],
  ] as const)('%s, %s with a timeout of %s: %d seconds', (event, kind, given, seconds) => {
    expect(timeoutFor(event, { kind, timeoutMs: given && given * 1000 })).toBe(seconds * 1000);
  });

  it('is named where more is asked for than there is', () => {
    const origin = { scope: 'user', agent: 'claude-code', file: '/x', line: 1, name: null } as const;
    const unused = (event: string, timeout: number) =>
      readHookDefinitions([{ event, value: { hooks: [{ type: 'command', command: 'x', timeout }] }, origin }]).unused;
    expect([unused('Stop', 600), unused('SessionEnd', 60)]).toEqual([[], []]);
    expect(unused('Stop', 1_200)).toEqual([
      '/x:1: hooks.Stop: "timeout" of 1200 seconds counts as 600, the most there is',
    ]);
    expect(unused('SessionEnd', 61)).toEqual([expect.stringContaining('of 61 seconds counts as 60')]);
  });
});

it('variables are left for later commands by the four events that may, and by no other', async () => {
  const events = ['SessionStart', 'Setup', 'CwdChanged', 'FileChanged', 'Stop', 'PreToolUse'] as const;
  const handlers: ReadonlyArray<HookHandler> = [
    { kind: 'command', command: '[ -z "$CLAUDE_ENV_FILE" ] || { echo "A=1" >> "$CLAUDE_ENV_FILE"; }' },
  ];
  const left = events.map(async (event) => {
    const hooks = open([{ event, handlers }]);
    await hooks.fire(event, {}, { signal });
    return Object.keys(hooks.variables()).length > 0;
  });
  expect(await Promise.all(left)).toEqual([true, true, true, true, false, false]);
});

describe('a model that is asked', () => {
  const asked = async (prompt: string, answer: string): Promise<readonly [HookOutcome, string]> => {
    let heard = '';
    const ask = async ({ prompt: said }: { readonly prompt: string }): Promise<string> => {
      heard = said;
      return answer;
    };
    const hooks = open([{ event: 'Stop', handlers: [{ kind: 'prompt', prompt }] }], { means: { ask } });
    return [await hooks.fire('Stop', { cwd: '/w' }, { signal }), heard];
  };

  it.each([
    ['{"ok": true}', { block: null, stop: null }],
    ['{"ok": false, "reason": "not yet"}', { block: 'not yet', stop: null }],
    ['{"ok": false, "reason": "never", "impossible": true}', { block: null, stop: 'never' }],
  ])('and says %s means %j', async (answer, means) => {
    expect((await asked('Done?', answer))[0]).toMatchObject({ ran: 1, ...means });
  });

  it('sees the input in place of $ARGUMENTS, or behind the question', async () => {
    expect((await asked('Is $ARGUMENTS fine?', '{"ok": true}'))[1]).toMatch(/^Is \{"cwd":"\/w"\} fine\?\n/);
    expect((await asked('Done?', '{"ok": true}'))[1]).toMatch(/^Done\?\n\n\{"cwd":"\/w"\}\n/);
  });
});

it.each([
  ['asyncRewake', ['the build is broken']],
  ['async', []],
])('what a command with %s objects to comes late: %j', async (field, told) => {
  const origin = { scope: 'user', agent: 'claude-code', file: '/x', line: 1, name: null } as const;
  const command = { type: 'command', command: 'echo "the build is broken" >&2; exit 2', [field]: true };
  const { definitions } = readHookDefinitions([{ event: 'PostToolUse', value: { hooks: [command] }, origin }]);
  const late = Promise.withResolvers<HookOutcome>();
  const now = await open(definitions).fire('PostToolUse', { tool_name: 'Bash' }, { signal, onLate: late.resolve });
  expect([now.ran, (await late.promise).context]).toEqual([0, told]);
});

it('a handler says what it does while it runs, and keeps its output to itself if it asks for that', async () => {
  const runs: HookRun[] = [];
  const command = `echo '{"suppressOutput": true, "systemMessage": "for you"}'; echo noise >&2`;
  const hooks = open([{ event: 'Stop', handlers: [{ kind: 'command', command, statusMessage: 'Looking' }] }]);
  const { messages } = await hooks.fire('Stop', {}, { signal, onRun: (run) => void runs.push(run) });
  expect(messages).toEqual(['for you']);
  expect(runs).toMatchObject([
    { kind: 'started', statusMessage: 'Looking' },
    { kind: 'ended', exitCode: 0 },
  ]);
  for (const field of ['stdout', 'stderr']) expect(runs[1]).not.toHaveProperty(field);
});

it.each([
  ['\u0007', true],
  ['\u001B]0;a title\u0007', true],
  ['\u001B]777;notify;a;b\u001B\\', true],
  ['\u001B[2J', false],
  ['\u001B]52;c;eA==\u0007', false],
  ['\u001B]0;a\u001B[2J\u0007', false],
])(
  'of codes for the terminal only titles, notifications and the bell are passed on: %j',
  (terminalSequence, passes) => {
    const { terminalSequence: passed, unheeded = [] } = readAnswer({ terminalSequence });
    expect([passed, unheeded.length]).toEqual(passes ? [terminalSequence, 0] : [undefined, 1]);
  },
);

describe('the wires of other agents', () => {
  it('name these events', () => {
    expect([WIRES.gemini.names, WIRES.cline.names]).toEqual([
      {
        BeforeTool: 'PreToolUse',
        AfterTool: 'PostToolUse',
        BeforeAgent: 'UserPromptSubmit',
        AfterAgent: 'Stop',
        PreCompress: 'PreCompact',
        SessionStart: 'SessionStart',
        SessionEnd: 'SessionEnd',
        Notification: 'Notification',
      },
      {
        TaskStart: 'SessionStart',
        TaskResume: 'SessionStart',
        UserPromptSubmit: 'UserPromptSubmit',
        PreToolUse: 'PreToolUse',
        PostToolUse: 'PostToolUse',
        PreCompact: 'PreCompact',
      },
    ]);
  });

  it('tell what ran and what was said in their own fields', () => {
    const ran = {
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: { output: 'a.txt' },
      duration_ms: 3,
    };
    expect(WIRES.gemini.told('AfterTool', ran)).toMatchObject({
      hook_event_name: 'AfterTool',
      tool_name: 'run_shell_command',
      tool_response: { llmContent: 'a.txt' },
    });
    expect(WIRES.gemini.told('AfterAgent', { last_assistant_message: 'Done.' })).toMatchObject({
      prompt_response: 'Done.',
    });
    expect(WIRES.cline.told('PostToolUse', ran)).toMatchObject({
      postToolUse: { toolName: 'Bash', result: 'a.txt', success: true, executionTimeMs: 3 },
    });
    expect(WIRES.cline.told('UserPromptSubmit', { prompt: 'Go.' })).toMatchObject({
      userPromptSubmit: { prompt: 'Go.' },
    });
  });

  it('of Cline may change a call, and have it looked at', () => {
    const said = (answer: object) => readAnswer(WIRES.cline.said({ ...answer }, 'PreToolUse', {}));
    expect(said({ overrideInput: { command: 'pwd' } })).toEqual({ updatedInput: { command: 'pwd' } });
    expect(said({ review: true, errorMessage: 'look' })).toMatchObject({ permission: { word: 'ask', reason: 'look' } });
  });
});
