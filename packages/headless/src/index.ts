export { modelConfiguration } from './model-configuration.ts';
export { createControlChannel } from './control/channel.ts';
export { controlResponse, DONE_REQUESTS, REFUSED_REQUESTS } from './control/answers.ts';
export { effortNamed, effortOf, EFFORTS } from './control/effort.ts';
export { type Initialized, readInitialize } from './control/initialize.ts';
export { readWireAgents } from './control/wire-agents.ts';
export { CLAUDE_FLAGS } from './foreign-lines/claude.ts';
export {
  CODEX_FLAGS,
  CODEX_OVERRIDES,
  CODEX_TABLES,
  CODEX_RESUME_FLAGS,
  CODEX_SANDBOXES,
} from './foreign-lines/codex.ts';
export type { FlagRow } from './foreign-lines/flag-row.ts';
export { GEMINI_EXITS, GEMINI_FLAGS } from './foreign-lines/gemini.ts';
export { codexLine, type ForeignLine, geminiLine } from './foreign-lines/lines.ts';
export { NEEDLESS_FLAGS, REFUSED_FLAGS, refusedVariable } from './flags-of-others.ts';
export { type HeadlessInput, type Mirror } from './headless-input.ts';
export { type HeadlessOptions, OUTPUT_FORMATS, type OutputFormat } from './headless-options.ts';
export { modelNotes } from './model-notes.ts';
export { readImage } from './input/read-image.ts';
export { readInputLines } from './input/input-lines.ts';
export { InputProblem, noInput } from './input/input-problem.ts';
export { oneAfterTheOther, oneInput } from './input/user-inputs.ts';
export { listenToPipe, type PipedText } from './input/piped-text.ts';
export { wholeText } from './input/whole-text.ts';
export { type HeadlessEnd, runHeadless } from './run-headless.ts';
export { configProblem } from './session-config.ts';
export { displayNamed, type ThinkingDisplay, wishProblem } from './service-wishes.ts';
export { schemaProblem } from './structured-output.ts';
export { type EffectiveFile, effectiveFiles } from './foreign-settings/effective-files.ts';
export type { ForeignRow } from './foreign-settings/foreign-rows.ts';
export { FOREIGN_NAMES, importedSettings } from './foreign-settings/import-settings.ts';
