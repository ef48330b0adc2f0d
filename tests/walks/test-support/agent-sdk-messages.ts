/**
 * Every type of message that the Claude Agent SDK publishes, in the order of its types, with the line that it is: `type`, or `system` and
 * its subtype. `never`: no run of ours prints it, for the reason given. The page `docs/agent-sdk.md` is drawn from this list.
 */
export type SdkMessage = { readonly line: string; readonly tells: string; readonly never?: true };

const never = (line: string, tells: string): SdkMessage => ({ line, tells, never: true });

export const SDK_MESSAGES: Readonly<Record<string, SdkMessage>> = {
  SDKAssistantMessage: { line: 'assistant', tells: 'an answer of the model' },
  SDKUserMessage: { line: 'user', tells: 'the result of a call' },
  SDKUserMessageReplay: { line: 'user, isReplay', tells: 'a prompt, with `--replay-user-messages`' },
  SDKResultMessage: { line: 'result', tells: 'the end of a prompt' },
  SDKSystemMessage: { line: 'init', tells: 'what the session has' },
  SDKPartialAssistantMessage: { line: 'stream_event', tells: 'an answer as it arrives' },
  SDKCompactBoundaryMessage: { line: 'compact_boundary', tells: 'the conversation was made shorter' },
  SDKStatusMessage: { line: 'status', tells: 'another permission mode' },
  SDKAPIRetryMessage: { line: 'api_retry', tells: 'the service is asked again' },
  SDKControlRequestProgressMessage: never('control_request_progress', 'a request is answered once it is done'),
  SDKModelRefusalFallbackMessage: never('model_refusal_fallback', 'no other model is asked when one refuses'),
  SDKModelRefusalNoFallbackMessage: { line: 'model_refusal_no_fallback', tells: 'the model refused to answer' },
  SDKLocalCommandOutputMessage: never(
    'local_command_output',
    'what such a command says is an `assistant` line of the model `<synthetic>`',
  ),
  SDKHookStartedMessage: { line: 'hook_started', tells: 'a hook begins' },
  SDKHookProgressMessage: { line: 'hook_progress', tells: 'what it has printed' },
  SDKHookResponseMessage: { line: 'hook_response', tells: 'what came of it' },
  SDKPluginInstallMessage: never('plugin_install', 'a run installs nothing'),
  SDKToolProgressMessage: { line: 'tool_progress', tells: 'a call that takes long, every ten seconds' },
  SDKAuthStatusMessage: never('auth_status', 'nobody signs in during a run'),
  SDKTaskNotificationMessage: {
    line: 'task_notification',
    tells: 'an agent that was sent out reports; a command in the background ended',
  },
  SDKTaskStartedMessage: { line: 'task_started', tells: 'an agent is sent out; a command runs in the background' },
  SDKTaskUpdatedMessage: { line: 'task_updated', tells: 'it has ended' },
  SDKTaskProgressMessage: { line: 'task_progress', tells: 'it makes a call; what it used so far' },
  SDKBackgroundTasksChangedMessage: {
    line: 'background_tasks_changed',
    tells: 'commands and agents that run in the background now; a command that ended by itself with the next step',
  },
  SDKThinkingTokensMessage: never('thinking_tokens', 'thinking itself is told, nobody estimates its length'),
  SDKSessionStateChangedMessage: never('session_state_changed', 'the result line says that a prompt is over'),
  SDKWorkerShuttingDownMessage: never('worker_shutting_down', 'sessions do not run on workers of Anthropic'),
  SDKCommandsChangedMessage: { line: 'commands_changed', tells: 'commands and skills that were read again' },
  SDKNotificationMessage: never('notification', 'hooks of Notification are called, and the session goes on'),
  SDKFilesPersistedEvent: never('files_persisted', 'no files are uploaded'),
  SDKToolUseSummaryMessage: never('tool_use_summary', 'no second model sums calls up'),
  SDKMemoryRecallMessage: never('memory_recall', 'the memory of a project is in the system prompt'),
  SDKRateLimitEvent: never('rate_limit_event', 'limits of a subscription, which we do not have'),
  SDKElicitationCompleteMessage: never('elicitation_complete', 'the answer to `elicitation` is awaited instead'),
  SDKPermissionDeniedMessage: { line: 'permission_denied', tells: 'a call that the rules deny' },
  SDKPromptSuggestionMessage: { line: 'prompt_suggestion', tells: 'what the person may say next' },
  SDKMirrorErrorMessage: never('mirror_error', 'the SDK itself says that a `sessionStore` failed'),
  SDKInformationalMessage: { line: 'informational', tells: 'a notice for people' },
  SDKConversationResetMessage: {
    line: 'conversation_reset',
    tells: '`/clear`: another session goes on in place of this one',
  },
  SDKSessionWritesLostMessage: never('session_writes_lost', 'a session that can not be written ends with an error'),
};
