export * from './types/index.ts';
export * from './execution/index.ts';
export * from './tools/index.ts';
export * from './truncation/index.ts';
export type { CompactionOptions, CompactionTrigger, CompactionDecision } from './compaction/contract.ts';
export { memoryFileOf } from './compaction/memory.ts';
export { hideDenied } from './execution/hide-denied.ts';
export { hideSecrets } from './execution/secret-guard.ts';
export { createHooks, type FireOptions, type Hooks, type HooksOptions } from './hooks/hooks.ts';
export type { HookOutcome } from '@attractor/settings';
export type { HookRun } from '@attractor/settings';
export type { AgentSession, AgentSessionOptions, Reply, SessionPlace } from './open/agent-session.ts';
export { openAgentSession } from './open/open-agent-session.ts';
export { createAnthropicProfile } from './profiles/anthropic.ts';
export { createProfile, PROFILE_IDS, profileFor } from './profiles/choose.ts';
export { equipProfile, type Equipment } from './profiles/equip-profile.ts';
export { createGeminiProfile } from './profiles/gemini.ts';
export { createOpenAiProfile } from './profiles/openai.ts';
export type { ProfileOptions, ToolPorts } from './profiles/ports.ts';
export { findOthersDocs, findProjectDocs } from './prompts/project-docs.ts';
export { readUserDocs } from './prompts/user-docs.ts';
export type { Approve, AskUser, QuestionRequest, Session, SessionChanges, SessionOptions } from './contract/session.ts';
export { keepSnapshots, type SnapshotKeeper } from './session/keep-snapshots.ts';
export { detectLoop, type CallSignature } from './session/loop-detection.ts';
export { messagesOf } from './session/messages.ts';
export { replay } from './session/replay.ts';
export { createSession, resumeSession } from './session/session.ts';
export { tidyCalls } from './session/tidy-calls.ts';
export { untilAborted } from './conversation/until-aborted.ts';
export { EMPTY_VIEW, advance, isToolCall, type SessionView } from './conversation/view.ts';
export { namedTexts, type CallWorld, type NamedTexts } from './skills/call-by-name.ts';
export { profileForAgent } from './subagent/agent-profile.ts';
export {
  createAgentTool,
  runAsChildren,
  type AgentOrder,
  type AgentToolOptions,
  type RunAgent,
} from './subagent/agent-tool.ts';
export { agentNamed } from './subagent/agent-named.ts';
export { BUILT_IN_AGENTS } from './subagent/built-in-agents.ts';
export { validateArguments } from './tools/validate.ts';
export { toolsAlone } from './profiles/tools-alone.ts';
