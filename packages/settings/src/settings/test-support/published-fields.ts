/** Claude Code 2.1.325 takes these in the head of a skill that stands alone, where others have them in the manifest of a plugin. */
const OF_PLUGINS = `version displayName author homepage repository keywords defaultEnabled dependencies userConfig mcpServers
  lspServers agents outputStyles themes workflows channels monitors settings experimental fallback created_by improved_by
  hide-from-slash-command-tool`;

/**
 * Fields that other agents publish for parts of their files, names alone: of Claude Code as in the types of its Agent SDK 0.3.325 and its
 * documents, of opencode 1.18 and Gemini CLI 0.61 as in their documents. Each kind with the place of a file of that kind.
 */
export const HEAD_FIELDS: ReadonlyArray<{ readonly what: string; readonly file: string; readonly fields: string }> = [
  {
    what: 'agents of Claude Code',
    file: '.claude/agents/x.md',
    fields: `name description tools disallowedTools model permissionMode maxTurns skills mcpServers hooks memory background
      effort isolation color initialPrompt omitClaudeMd autoCompactWindow observer observerMessage observeSubagents experimental
      criticalSystemReminder_EXPERIMENTAL`,
  },
  {
    what: 'agents of opencode',
    file: '.config/opencode/agent/x.md',
    fields: `description mode model temperature top_p steps maxSteps permission prompt hidden disable color tools options
      variant`,
  },
  {
    what: 'agents of Gemini',
    file: '.gemini/agents/x.md',
    fields: 'name description kind tools mcpServers model temperature max_turns timeout_mins display_name',
  },
  {
    what: 'skills',
    file: '.claude/skills/x/SKILL.md',
    fields: `name description license compatibility metadata allowed-tools when_to_use argument-hint arguments
      disable-model-invocation user-invocable disallowed-tools disallowedTools model effort context agent background hooks
      paths shell ${OF_PLUGINS}`,
  },
  {
    what: 'commands',
    file: '.claude/commands/x.md',
    fields: `name description argument-hint allowed-tools model disable-model-invocation agent subtask effort context hooks
      when_to_use arguments user-invocable disallowed-tools disallowedTools background paths shell ${OF_PLUGINS}`,
  },
];

/** Of `.claude-plugin/plugin.json`, as its reference and its schema have them. */
export const PLUGIN_FIELDS = `$schema name displayName version description author homepage repository license keywords
  dependencies defaultEnabled hooks commands agents skills outputStyles themes channels mcpServers lspServers monitors settings
  userConfig experimental workflows engines evals`;

/** Of `output-styles/*.md`. */
export const STYLE_FIELDS = 'name description keep-coding-instructions force-for-plugin';

const COMMON = { if: 'Bash(ls)', timeout: 5, statusMessage: 'Looks', once: true };

/** By the kind of handler: what it needs, and further published fields with a value that is not the default. */
export const HANDLER_FIELDS: Readonly<
  Record<
    string,
    { readonly needs: Readonly<Record<string, unknown>>; readonly more: Readonly<Record<string, unknown>> }
  >
> = {
  command: {
    needs: { command: 'x' },
    more: { ...COMMON, args: ['a'], shell: 'powershell', onFailure: 'block', async: true, asyncRewake: true },
  },
  http: {
    needs: { url: 'https://x.test/' },
    more: { ...COMMON, onFailure: 'block', headers: { A: 'b' }, allowedEnvVars: ['A'] },
  },
  prompt: { needs: { prompt: 'ok?' }, more: { ...COMMON, model: 'm', continueOnBlock: true } },
  agent: { needs: { prompt: 'ok?' }, more: { ...COMMON, model: 'm' } },
  mcp_tool: { needs: { server: 's', tool: 't' }, more: { ...COMMON, input: { a: 1 } } },
};

export const EVENTS = `PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion
  SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PreModelSwitch PostModelSwitch
  PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange
  WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded MessageDisplay`;
