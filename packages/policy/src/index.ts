export { excludedCommands, programPattern, type IsExcluded } from './excluded-commands.ts';
export {
  type ApprovalAnswer,
  type ApprovalRequest,
  commandOf,
  isApprovalAnswer,
  problemOfRules,
  reasonOf,
} from './approval.ts';
export { contentHash } from './content-hash.ts';
export { livePolicy, type LivePolicy } from './live-policy.ts';
export { updatePermissions } from './permission-update.ts';
export { parseRule, type ParsedRule } from './parse-rule.ts';
export { createPolicy, type ChildRights, type Policy, type PolicyPlace } from './policy.ts';
export { readRules } from './read-rules.ts';
export {
  rememberRules,
  ruleFilesOf,
  suggestionsOf,
  type Remembered,
  type RuleFiles,
  type RuleSuggestion,
} from './remember.ts';
export { isCommand, KNOWN_NAMES, namesTool } from './rule-names.ts';
export type { WorkLimit } from './work-limit.ts';
export type { Containment } from './workspace.ts';
export { sandboxVerdict } from './sandbox-verdict.ts';
export { readShown, shownCall, visible } from './shown.ts';
export type {
  Decision,
  Judgement,
  PermissionMode,
  PermissionRule,
  PolicyCall,
  RuleDestination,
  RuleOrigin,
  RuleScope,
} from './types.ts';
