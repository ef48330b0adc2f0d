/** The fields that Claude Code gives its hooks and takes from them, by event; `''` has those of every event. */
export type PublishedFields = {
  readonly given: Readonly<Record<string, ReadonlyArray<string>>>;
  readonly taken: Readonly<Record<string, ReadonlyArray<string>>>;
};

/** Read from the types of the Claude Agent SDK. */
export function publishedHookFields(types: string): PublishedFields {
  const plain = types.replaceAll(/\/\*[^]*?\*\//g, '');
  const given: Record<string, ReadonlyArray<string>> = {};
  const taken: Record<string, ReadonlyArray<string>> = {};
  for (const part of plain.split(/^(?=(?:export )?declare )/m)) {
    const [, name = '', body = ''] = /^export declare type (\w+) = ([^]*)$/.exec(part) ?? [];
    const fields = fieldsIn(body);
    const [, event = '', what] = /^(\w+?)(HookInput|HookSpecificOutput|HookJSONOutput)$/.exec(name) ?? [];
    if (what === 'HookInput') given[event === 'Base' ? '' : event] = fields;
    if (what === 'HookSpecificOutput') taken[event] = fields;
    if (what === 'HookJSONOutput') taken[''] = [...new Set([...(taken[''] ?? []), ...fields])].toSorted();
  }
  return { given, taken };
}

/** Fields of the outer type have four blanks before them; those of types inside have more. */
function fieldsIn(body: string): ReadonlyArray<string> {
  const names = [...body.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'hook_event_name' && name !== 'hookEventName').toSorted();
}

const list = (names: string): ReadonlyArray<string> =>
  names
    .trim()
    .split(/\s+/)
    .filter((name) => name !== '');

const CALL = 'mcp_server tool_input tool_name';
const SWITCH =
  'cache_ttl context_tokens estimated_cache_write_usd from_model pricing prompt_cache_warm requested_model source to_model';
const STEP = 'task_description task_id task_subject team_name teammate_name';

/** Of the Claude Agent SDK 0.3.325. */
export const PUBLISHED_HOOK_FIELDS: PublishedFields = {
  given: lists({
    '': 'agent_id agent_type cwd effort permission_mode prompt_id session_id transcript_path',
    ConfigChange: 'file_path source',
    CwdChanged: 'new_cwd old_cwd',
    DirectoryAdded: 'directory source',
    Elicitation: 'elicitation_id mcp_server_name message mode requested_schema url',
    ElicitationResult: 'action content elicitation_id mcp_server_name mode',
    FileChanged: 'event file_path',
    InstructionsLoaded: 'file_path globs load_reason memory_type parent_file_path trigger_file_path',
    MessageDisplay: 'delta final index message_id turn_id',
    Notification: 'message notification_type title',
    PermissionDenied: `${CALL} reason tool_use_id`,
    PermissionRequest: `${CALL} permission_suggestions`,
    PostCompact: 'compact_summary trigger',
    PostModelSwitch: SWITCH,
    PostToolBatch: 'tool_calls',
    PostToolUse: `${CALL} duration_ms tool_response tool_use_id`,
    PostToolUseFailure: `${CALL} duration_ms error is_interrupt tool_use_id`,
    PreCompact: 'custom_instructions trigger',
    PreModelSwitch: SWITCH,
    PreToolUse: `${CALL} tool_use_id`,
    SessionEnd: 'reason',
    SessionStart:
      'agent_type context_tokens estimated_cache_write_usd model prompt_cache_likely_expired seconds_since_last_response session_title source',
    Setup: 'trigger',
    Stop: 'background_tasks last_assistant_message session_crons stop_hook_active',
    StopFailure: 'error error_details last_assistant_message',
    SubagentStart: 'agent_id agent_type',
    SubagentStop:
      'agent_id agent_transcript_path agent_type background_tasks last_assistant_message session_crons stop_hook_active',
    TaskCompleted: STEP,
    TaskCreated: STEP,
    TeammateIdle: 'team_name teammate_name',
    UserPromptExpansion: 'command_args command_name command_source expansion_type prompt',
    UserPromptSubmit: 'prompt session_title source',
    WorktreeCreate: 'name',
    WorktreeRemove: 'worktree_path',
  }),
  taken: lists({
    '': 'async asyncTimeout continue decision hookSpecificOutput reason stopReason suppressOutput systemMessage terminalSequence',
    CwdChanged: 'watchPaths',
    Elicitation: 'action content',
    ElicitationResult: 'action content',
    FileChanged: 'watchPaths',
    MessageDisplay: 'displayContent',
    Notification: 'additionalContext',
    PermissionDenied: 'retry',
    PermissionRequest: 'decision',
    PostModelSwitch: 'additionalContext',
    PostToolBatch: 'additionalContext',
    PostToolUse: 'additionalContext classifierContext updatedMCPToolOutput updatedToolOutput',
    PostToolUseFailure: 'additionalContext',
    PreModelSwitch: 'permissionDecision permissionDecisionReason',
    PreToolUse: 'additionalContext permissionDecision permissionDecisionReason updatedInput',
    SessionStart: 'additionalContext initialUserMessage reloadSkills sessionTitle watchPaths',
    Setup: 'additionalContext',
    Stop: 'additionalContext',
    SubagentStart: 'additionalContext',
    SubagentStop: 'additionalContext',
    UserPromptExpansion: 'additionalContext suppressOriginalPrompt',
    UserPromptSubmit: 'additionalContext sessionTitle suppressOriginalPrompt',
    WorktreeCreate: 'worktreePath',
  }),
};

function lists(fields: Readonly<Record<string, string>>): PublishedFields['given'] {
  return Object.fromEntries(Object.entries(fields).map(([event, names]) => [event, list(names).toSorted()]));
}

/** Not given, or not obeyed, and why. */
export const NOT_GIVEN: Readonly<Record<string, string>> = {
  'TaskCompleted.team_name': 'no agents work as a team here',
  'TaskCompleted.teammate_name': 'no agents work as a team here',
  'TaskCreated.team_name': 'no agents work as a team here',
  'TaskCreated.teammate_name': 'no agents work as a team here',
  'TeammateIdle.team_name': 'no agents work as a team here',
  'TeammateIdle.teammate_name': 'no agents work as a team here',
};

export const NOT_OBEYED: Readonly<Record<string, string>> = {
  'PostToolUse.classifierContext': 'no second model judges calls',
};

/** Those that nothing in a session alone fires, with the test that looks at what they are given. */
export const PROVEN_ELSEWHERE: Readonly<Record<string, string>> = {
  DirectoryAdded: 'packages/terminal/src/converse/told-hooks.test.ts',
  MessageDisplay: 'packages/terminal/src/converse/told-hooks.test.ts',
  WorktreeCreate: 'packages/agent/src/open/agent-places.test.ts',
  WorktreeRemove: 'packages/agent/src/open/agent-places.test.ts',
};
