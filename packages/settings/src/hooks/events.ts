/**
 * What other programs can be notified of, under the names that other agents use. `matchedOn`: the input field that a matcher looks at.
 * `blocks`: exit code 2 or a decision to block has an effect. `plainContext`: plain text on stdout is context for the model.
 * `firedBy`: where it happens here; null if nothing here does it, and then it never fires; `whyNot` says why.
 */
export type HookEventRow = {
  readonly matchedOn: string | null;
  readonly blocks: boolean;
  readonly plainContext?: true;
  /** Plain text on stdout is the path of a folder. */
  readonly plainPath?: true;
  /** For a handler that sets none; absent: ten minutes. */
  readonly defaultTimeoutMs?: number;
  /** The maximum for a handler. */
  readonly maxTimeoutMs?: number;
  readonly firedBy: string | null;
  readonly whyNot?: string;
};

const unseen = (matchedOn: string | null, whyNot: string, blocks = true): HookEventRow => ({
  matchedOn,
  blocks,
  firedBy: null,
  whyNot,
});

export const HOOK_EVENTS = {
  SessionStart: { matchedOn: 'source', blocks: false, plainContext: true, firedBy: 'the first work of a session' },
  UserPromptSubmit: {
    matchedOn: null,
    blocks: true,
    plainContext: true,
    defaultTimeoutMs: 30_000,
    firedBy: 'an input, before it is recorded',
  },
  PreToolUse: { matchedOn: 'tool_name', blocks: true, firedBy: 'a valid call, before it is judged' },
  PermissionRequest: { matchedOn: 'tool_name', blocks: false, firedBy: 'a call that a person would be asked about' },
  PermissionDenied: { matchedOn: 'tool_name', blocks: false, firedBy: 'a call that the policy denied' },
  PostToolUse: { matchedOn: 'tool_name', blocks: true, firedBy: 'a call that ran' },
  PostToolUseFailure: { matchedOn: 'tool_name', blocks: true, firedBy: 'a call that ran and failed' },
  PostToolBatch: { matchedOn: null, blocks: true, firedBy: 'the last result of a round' },
  Notification: { matchedOn: 'notification_type', blocks: false, firedBy: 'a person is waited for' },
  Stop: { matchedOn: null, blocks: true, firedBy: 'an answer without calls' },
  StopFailure: { matchedOn: 'error', blocks: false, firedBy: 'a model that could not answer' },
  SubagentStart: { matchedOn: 'agent_type', blocks: false, firedBy: 'the first work of a subagent' },
  SubagentStop: { matchedOn: 'agent_type', blocks: true, firedBy: 'an answer of a subagent without calls' },
  CwdChanged: { matchedOn: null, blocks: false, firedBy: 'a command that ended in another folder' },
  PreCompact: { matchedOn: 'trigger', blocks: true, firedBy: 'a compaction, before it' },
  PostCompact: { matchedOn: 'trigger', blocks: false, firedBy: 'a compaction, after it' },
  SessionEnd: {
    matchedOn: 'reason',
    blocks: false,
    defaultTimeoutMs: 1_500,
    maxTimeoutMs: 60_000,
    firedBy: 'the end of a session that did work',
  },
  Setup: { matchedOn: 'trigger', blocks: false, firedBy: 'a start with --init or --maintenance' },
  UserPromptExpansion: {
    matchedOn: 'command_name',
    blocks: true,
    plainContext: true,
    firedBy: 'a command or a skill that a person calls by its name, before it is read',
  },
  TaskCreated: { matchedOn: null, blocks: true, firedBy: 'a new step in the list of steps, before it is taken' },
  TaskCompleted: { matchedOn: null, blocks: true, firedBy: 'a step that is done, before the list is taken' },
  InstructionsLoaded: { matchedOn: 'load_reason', blocks: false, firedBy: 'a document that the model gets' },
  ConfigChange: { matchedOn: 'source', blocks: true, firedBy: 'a changed file of settings, after a round of calls' },
  FileChanged: { matchedOn: 'file_path', blocks: false, firedBy: 'a changed file, after a round of calls' },
  Elicitation: {
    matchedOn: 'mcp_server_name',
    blocks: true,
    firedBy: 'a question of a server, before a person sees it',
  },
  ElicitationResult: { matchedOn: 'mcp_server_name', blocks: true, firedBy: 'the answer, before the server gets it' },
  MessageDisplay: {
    matchedOn: null,
    blocks: false,
    defaultTimeoutMs: 10_000,
    firedBy: 'whole lines of what a model says, before a terminal shows them',
  },
  TeammateIdle: unseen(null, 'no agents work as a team here'),
  DirectoryAdded: { matchedOn: null, blocks: false, firedBy: 'a folder that a person adds with /add-dir' },
  WorktreeCreate: {
    matchedOn: null,
    blocks: true,
    plainPath: true,
    firedBy: 'an agent with `isolation: worktree`, in place of git',
  },
  WorktreeRemove: {
    matchedOn: null,
    blocks: false,
    firedBy: 'the end of an agent that left its worktree unchanged, before it is removed',
  },
  PreModelSwitch: { matchedOn: 'to_model', blocks: true, firedBy: 'another model, before its first request' },
  PostModelSwitch: { matchedOn: 'to_model', blocks: false, firedBy: 'another model that was taken' },
} as const satisfies Readonly<Record<string, HookEventRow>>;

export type HookEventName = keyof typeof HOOK_EVENTS;

export function isHookEvent(name: string): name is HookEventName {
  return Object.hasOwn(HOOK_EVENTS, name);
}

export function rowOf(event: HookEventName): HookEventRow {
  return HOOK_EVENTS[event];
}

const DEFAULT_TIMEOUT_MS = 600_000;

/** Of handlers that ask a model, if they set none. */
const KIND_TIMEOUTS_MS: Readonly<Record<string, number>> = { prompt: 30_000, agent: 60_000 };

export function timeoutFor(
  event: HookEventName,
  { kind, timeoutMs }: { readonly kind?: string; readonly timeoutMs?: number | undefined },
): number {
  const { defaultTimeoutMs = DEFAULT_TIMEOUT_MS, maxTimeoutMs = DEFAULT_TIMEOUT_MS } = rowOf(event);
  return Math.min(timeoutMs ?? Math.min(defaultTimeoutMs, KIND_TIMEOUTS_MS[kind ?? ''] ?? Infinity), maxTimeoutMs);
}
