export { contentHash } from './content-hash.ts';
export { hideDenied } from './hide-denied.ts';
export { livePolicy, type LivePolicy } from './live-policy.ts';
export { parseRule, type ParsedRule, type RuleError } from './parse-rule.ts';
export { createPolicy, type ChildRights, type Policy, type PolicyOptions } from './policy.ts';
export {
  type Remembered,
  rememberRules,
  type RuleFiles,
  ruleFilesOf,
  type RuleSuggestion,
  suggestionsOf,
} from './remember.ts';
export { readRules } from './read-rules.ts';
export { readShown, shownCall, visible } from './shown.ts';
export { isCommand } from './rule-names.ts';
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
