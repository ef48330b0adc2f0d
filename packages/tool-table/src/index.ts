export { stepsOf, toolSubject, toolTitle, type Step } from './call-words.ts';
export { describeTools } from './describe.ts';
export { familyNameOf, ownNameOf, namesOfTool, rowOf, ruleOf, toolsWhere } from './names.ts';
export type { OutputLimit, ToolRow } from './row.ts';
export { RULES, isRuleName, type ContentKind, type RuleName } from './rules.ts';
export { TOOLS, TOOL_NAMES, type ToolName } from './table.ts';
export type { Touch } from './touch.ts';
export { whatACallTouches } from './what-a-call-touches.ts';
export { isOfferedWhereNothingChanges } from './where-nothing-changes.ts';
