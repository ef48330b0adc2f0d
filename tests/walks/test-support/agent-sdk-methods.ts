/**
 * Every method of the Claude Agent SDK's `Query`, as its types list them. `by`: the request that it sends; null: it is answered from what
 * `initialize` said, or by the SDK itself. What a request that is refused says stands in our sources. The page `docs/agent-sdk.md` is drawn
 * from this list.
 */
export type SdkMethod = { readonly by: string | null; readonly effect: string };

export const SDK_METHODS: Readonly<Record<string, SdkMethod>> = {
  interrupt: { by: 'interrupt', effect: 'stops the prompt under way; the next one is answered' },
  setPermissionMode: { by: 'set_permission_mode', effect: 'from the next call on' },
  setMcpPermissionModeOverride: {
    by: 'set_mcp_permission_mode_override',
    effect: '`default`: calls of the server ask in `bypassPermissions`; `auto` is refused: there is no such mode',
  },
  setModel: { by: 'set_model', effect: 'from the next request on' },
  setMaxThinkingTokens: { by: 'set_max_thinking_tokens', effect: 'from the next request on' },
  applyFlagSettings: {
    by: 'apply_flag_settings',
    effect:
      '`model`, `effortLevel`, `outputStyle`, `permissions` (rules beside those of the start, `defaultMode`); other keys are refused by name',
  },
  updateSettings: {
    by: 'update_settings',
    effect: '`outputStyle` of `localSettings`, written and used at once; other keys are refused by name',
  },
  initializationResult: { by: null, effect: 'what the session answered when it began' },
  reinitialize: { by: 'initialize', effect: 'hooks count as they are now; questions that are not answered come again' },
  supportedCommands: { by: null, effect: 'commands and skills by name' },
  supportedModels: { by: null, effect: 'models of the service' },
  supportedAgents: { by: null, effect: 'agents by name' },
  mcpServerStatus: { by: 'mcp_status', effect: 'how each server stands' },
  getContextUsage: { by: 'get_context_usage', effect: 'what the conversation takes of the window' },
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: {
    by: 'get_usage',
    effect: 'what the session used; of limits of an account nothing: there is none',
  },
  readFile: { by: 'read_file', effect: 'a file that the model may read without asking' },
  reloadPlugins: {
    by: 'reload_plugins',
    effect:
      'commands, skills, agents, styles, hooks and servers of plugins are read again, with `addPlugins`; `holdOnCacheImpact` is refused',
  },
  reloadSkills: { by: 'reload_skills', effect: 'skills and commands are read again' },
  reloadOutputStyles: { by: 'reload_output_styles', effect: 'styles are read again' },
  accountInfo: { by: null, effect: 'empty: there is no account' },
  rewindFiles: { by: 'rewind_files', effect: 'files as they were before a prompt' },
  seedReadState: { by: 'seed_read_state', effect: 'the model counts as having read the file, unless it changed since' },
  reconnectMcpServer: { by: 'mcp_reconnect', effect: 'the server is ended and started anew' },
  toggleMcpServer: { by: 'mcp_toggle', effect: 'a server that is off does not run, and its tools are not offered' },
  readMcpResource: {
    by: 'mcp_read_resource',
    effect: 'a `ui://` resource of a server, unless a rule denies the server',
  },
  setMcpServers: {
    by: 'mcp_set_servers',
    effect: 'the servers of this kind are replaced, those inside your program too',
  },
  streamInput: { by: null, effect: 'further prompts' },
  stopTask: { by: 'stop_task', effect: 'one command in the background, or one agent, is stopped' },
  backgroundTasks: {
    by: 'background_tasks',
    effect: 'commands and agents that the model waits for go on in the background',
  },
  close: { by: null, effect: 'ends the run and everything it started' },
};
