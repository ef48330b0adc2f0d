export type { AgentDefinition } from './agents/agent-definition.ts';
export { writtenServers } from './agents/written-servers.ts';
export { expandTemplate, type ExpandPorts, type Expanded } from './commands/expand.ts';
export { type MentionedFile, mentionedFiles } from './commands/mentioned-files.ts';
export { hasCommands, type TemplateForm } from './template/template.ts';
export { readAnswer, type HookAnswer, type ParsedHookAnswer, type RequestDecision } from './hooks/answer.ts';
export { readClineHooks } from './hooks/cline-files.ts';
export {
  handlerText,
  isOfRepository,
  type CommandHandler,
  type FunctionHandler,
  type HookDefinition,
  type HookHandler,
  type HookInput,
  type ModelHandler,
  type ToolHandler,
} from './hooks/definition.ts';
export { HOOK_EVENTS, timeoutFor, type HookEventName } from './hooks/events.ts';
export { readIfRule, type IfRule } from './hooks/if-rule.ts';
export { hookToolName, readMatcher, type Matcher } from './hooks/matcher.ts';
export { lateAnswer } from './hooks/late-answer.ts';
export { readHookDefinitions } from './hooks/read-definitions.ts';
export { WIRES } from './hooks/wires.ts';
export { type HandlerEnd } from './hooks/handler-end.ts';
export { shortOutput, outputOf, withoutSecrets } from './hooks/handler-output.ts';
export { type HookOutcome, NO_OUTCOME, mergeAnswers } from './hooks/outcome.ts';
export { readEnd, failClosedAnswer } from './hooks/read-end.ts';
export { matchedValues, handlerIdentity } from './hooks/what-matches.ts';
export { runHttp } from './hooks/run-http.ts';
export { type HookOutput, type HookRun } from './hooks/run-report.ts';
export { createSpill, type Spill } from './hooks/spill.ts';
export { type OnLeft, untilLeft, hearingLeave } from './hooks/until-left.ts';
export { readJsonWithLines, type JsonNode } from './settings/json-with-lines.ts';
export {
  type FileScope,
  type GivenSettings,
  loadSettings,
  type LoadedSettings,
  type SettingsQuery,
} from './settings/load-settings.ts';
export type { EffectiveSetting } from './settings/merge-settings.ts';
export { nearName } from './settings/near-name.ts';
export { misspelledTool } from './setup/left-out.ts';
export {
  describeOrigin,
  describeProblem,
  type SettingOrigin,
  type SettingProblem,
  type SettingScope,
} from './settings/origin.ts';
export { settingsFileProblems } from './settings/read-source.ts';
export type { SettingEntry } from './settings/source.ts';
export { sandboxSettings } from './settings/sandbox-settings.ts';
export { codexSetting } from './settings/foreign/codex.ts';
export { type AskedModel, modelOfPerson, sessionSettings, type SessionSettings } from './settings/session-settings.ts';
export { trustedBytes } from './setup/hooks-of-settings.ts';
export { confineSession, type ConfinementAnswer, type ConfinementQuestion } from './setup/confine-session.ts';
export {
  configuredElsewhere,
  inWorktree,
  readFilesAgain,
  readSetup,
  type SessionSetup,
  type SetupProblem,
  type SetupQuery,
  withFolders,
} from './setup/session-setup.ts';
export { writeLocalSetting } from './setup/write-setting.ts';
export { type DocImport, importsOf, withoutComments } from './template/doc-imports.ts';
export { narrowSetup } from './setup/narrow.ts';
export type { Plugin } from './plugins/read-plugins.ts';
export { styleNamed, type OutputStyle } from './styles/output-style.ts';
export { type ChangedFiles, changedSince } from './trust/changed-since.ts';
export { namedFiles } from './trust/named-files.ts';
export { examineTrust, revokeTrust, trustRepository, untrustedNotice, type TrustExamination } from './trust/trust.ts';
export { openUserFiles } from './user-files/open-user-files.ts';
export type { UserFiles } from './user-files/read-user-files.ts';
export { ownModels, readOwnModels, removeOwnModels } from './own-models/own-models.ts';
export { takeOverModels } from './own-models/take-over.ts';
