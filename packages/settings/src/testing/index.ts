export { templateParts } from '../template/template.ts';
export { readCodexRules } from '../settings/foreign/codex-rules.ts';
export { readSource } from '../settings/read-source.ts';
export { splitTools } from '../written-files/split-tools.ts';
