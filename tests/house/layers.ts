/**
 * The rooms of each package from the ground up, one line a layer. A room imports from lines before its own, types included; rooms of
 * one line do not know each other. Files that stand in `src` itself are rooms of their own where others import them. A package that is
 * not here has no rooms.
 */
export const LAYERS: Readonly<Record<string, ReadonlyArray<string>>> = {
  system: ['environment-error environment-variables truncate-chars', 'errno disk children', 'locks'],
  confine: ['network containment', 'sandbox', 'program'],
  files: ['file-operations', 'read change', 'search'],
  shell: ['braces reading secret-names', 'words', 'paths draft', 'reads destructive'],
  'tool-table': ['rules', 'touch', 'row shown-arguments', 'rows'],
  journal: ['events', 'journal', 'sessions'],
  llm: [
    'types catalog http',
    'accumulate collect cost errors history image-file middleware retry tool-args',
    'providers timeouts',
    'configuration',
    'configured-provider',
    'client',
    'generate',
  ],
  mcp: ['definition', 'oauth'],
  settings: [
    'trust',
    'settings',
    'hooks written-files',
    'agents skills styles plugins',
    'commands',
    'user-files',
    'setup',
  ],
  agent: [
    'types',
    'execution truncation',
    'tools hooks',
    'conversation',
    'compaction',
    'contract',
    'subagent skills prompts',
    'profiles session',
    'open',
  ],
  store: ['types', 'database', 'records'],
  platform: [
    'analytics attachments config notify outcomes prompts',
    'checks context runs',
    'attempts budget pipeline retry',
    'queue run',
    'supervisor',
    'workflow',
    'platform',
  ],
  repository: ['git', 'scm worktrees', 'outbox'],
};
