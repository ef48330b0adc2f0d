export { type IgnoredSetting, loadSettings, type LoadedSettings, type SettingsQuery } from './load-settings.ts';
export type { EffectiveSetting } from './merge-settings.ts';
export { type JsonNode, readJsonWithLines } from './json-with-lines.ts';
export { nearName } from './near-name.ts';
export { describeOrigin, describeProblem, type SettingOrigin, type SettingProblem, type Sourced } from './origin.ts';
export { type SettingEntry, settingsFileProblems, type UnmappedSetting } from './read-source.ts';
export { sandboxSettings, type SandboxSettings } from './sandbox-settings.ts';
export { type SessionSettings, sessionSettings, type WrittenHooks, type WrittenRule } from './session-settings.ts';
