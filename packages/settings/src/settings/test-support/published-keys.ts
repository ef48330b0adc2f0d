/**
 * The keys that other agents publish for their settings, names alone: of Claude Code as in the types of its Agent SDK 0.3.325 and in the
 * schema of its program, of Codex 0.166, Gemini CLI 0.61 and opencode 1.18 as in their documents. Inner keys where they hold limits.
 */
export const PUBLISHED_KEYS: Readonly<Record<'claude' | 'codex' | 'gemini' | 'opencode', ReadonlyArray<string>>> = {
  claude: words(`
    $schema apiKeyHelper proxyAuthHelper awsCredentialExport awsAuthRefresh gcpAuthRefresh processWrapper
    policyHelper fileSuggestion respectGitignore cleanupPeriodDays desktopSessionCleanupPeriodDays
    syncClaudeAiSkills syncClaudeAiPlugins skillListingMaxDescChars skillListingBudgetFraction
    wslInheritsWindowsSettings env attribution attributionProject attributionProjectPolicy includeCoAuthoredBy
    includeGitInstructions model fallbackModel availableModels enforceAvailableModels availableModelsMatch
    deniedModels modelOverrides modelPicker modelPricing enableAllProjectMcpServers enabledMcpjsonServers
    disabledMcpjsonServers disableClaudeAiConnectors skillOverrides disableBundledSkills managedMcpServers
    allowedMcpServers deniedMcpServers hooks worktree disableAllHooks disableReplyCheck disableAgentView
    disableRemoteControl disableWorkflows disableArtifact enableArtifact enableWorkflows workflowSizeGuideline
    workflowKeywordTriggerEnabled disableSkillShellExecution disableWindowsBashCommandSplit defaultShell
    bashEditDiffEnabled bashOutputMaxChars taskOutputMaxChars respondToBashCommands allowManagedHooksOnly
    allowedHttpHookUrls httpHookAllowedEnvVars allowManagedPermissionRulesOnly allowManagedMcpServersOnly
    allowAllClaudeAiMcps allowClaudeInChromeWithManagedMcp strictPluginOnlyCustomization statusLine prUrlTemplate
    footerLinksRegexes subagentStatusLine enabledPlugins prependPlugins appendPlugins extraKnownMarketplaces
    additionalMarketplaces strictKnownMarketplaces allowedMarketplaces blockedMarketplaces
    disableCommandPluginSources disableSideloadFlags pluginSuggestionMarketplaces forceLoginMethod
    forceLoginGatewayUrl gatewayInternalNetworks parentSettingsBehavior managedSourcesBehavior forceLoginOrgUUID
    allowedProviders forceRemoteSettingsRefresh otelHeadersHelper outputStyle viewMode language
    skipWebFetchPreflight feedbackSurveyRate feedbackDrafts spinnerTipsEnabled spinnerVerbs spinnerTipsOverride
    syntaxHighlightingDisabled maxProseWidth spellcheck terminalTitleFromRename promptCacheTtl
    subagentPromptCacheTtl alwaysThinkingEnabled effortLevel maxEffortLevel modelSettings ultracode
    autoCompactWindow advisorModel fastMode fastModePerSessionOptIn promptSuggestionEnabled emojiCompletionEnabled
    showClearContextOnPlanAccept askUserQuestionTimeout dialogExpiry agent companyAnnouncements pluginConfigs
    remote autoUpdatesChannel minimumVersion requiredMinimumVersion requiredMaximumVersion plansDirectory tui
    voice channelsEnabled allowedChannelPlugins prefersReducedMotion timeFormat timeZone autoMemoryEnabled
    autoMemoryDirectory autoDreamEnabled showThinkingSummaries skipDangerousModePermissionPrompt disableAutoMode
    sshConfigs sshHostCommands claudeMd claudeMdExcludes pluginTrustMessage theme editorMode keybindingFlavor
    vimInsertModeRemaps verbose preferredNotifChannel autoCompactEnabled precomputeCompactionEnabled
    idleCompaction switchModelsOnFlag autoContinueAtUsageLimit autoScrollEnabled wheelScrollAccelerationEnabled
    fileCheckpointingEnabled showTurnDuration showMessageTimestamps terminalProgressBarEnabled todoFeatureEnabled
    teammateMode remoteControlAtStartup isolatePeerMachines daemonColdStart crossSessionInbound autoUploadSessions
    inputNeededNotifEnabled agentPushNotifEnabled skipAutoPermissionPrompt useAutoModeDuringPlan autoMode
    disableDeepLinkRegistration voiceEnabled defaultView policyHelpers breakReminder quietHours
    clawdFileProgressEnabled awaySummaryEnabled responseComparisonEnabled modelProposedGoals doneMeansMerged
    totalTokensReminder totalTokensReminderBudget totalTokensReminderAfterUserTurn skipWorkflowUsageWarning
    remoteTools precomputeArmTokens remoteControl permissions.allow permissions.ask permissions.deny
    permissions.additionalDirectories permissions.defaultMode permissions.disableBypassPermissionsMode
    permissions.disableAutoMode sandbox.enabled sandbox.failIfUnavailable sandbox.autoAllowBashIfSandboxed
    sandbox.excludedCommands sandbox.allowUnsandboxedCommands sandbox.enableWeakerNestedSandbox
    sandbox.ignoreViolations sandbox.credentials.files sandbox.credentials.envVars sandbox.credentials.sigv4
    sandbox.credentials.allowPlaintextInject sandbox.credentials.awsPairs sandbox.filesystem.disabled
    sandbox.filesystem.allowManagedReadPathsOnly sandbox.allowNestedUserNamespaces sandbox.filesystem.allowWrite sandbox.filesystem.denyWrite
    sandbox.filesystem.denyRead sandbox.filesystem.allowRead sandbox.network.allowedDomains
    sandbox.network.deniedDomains sandbox.network.strictAllowlist sandbox.network.allowUnixSockets
    sandbox.network.allowAllUnixSockets sandbox.network.allowLocalBinding sandbox.network.httpProxyPort
    sandbox.network.socksProxyPort
  `),
  codex: words(`
    model model_provider model_providers model_context_window model_auto_compact_token_limit
    model_reasoning_effort model_reasoning_summary model_verbosity model_instructions_file approval_policy
    sandbox_mode sandbox_workspace_write shell_environment_policy permissions default_permissions notify
    instructions developer_instructions compact_prompt mcp_servers mcp_oauth_credentials_store
    project_doc_max_bytes project_doc_fallback_filenames project_root_markers profile profiles history sqlite_home
    log_dir file_opener tui hide_agent_reasoning show_raw_agent_reasoning chatgpt_base_url openai_base_url
    web_search tools features agents skills hooks plugins marketplaces apps memories projects notice analytics
    feedback otel check_for_update_on_startup disable_paste_burst personality service_tier review_model
    oss_provider forced_login_method forced_chatgpt_workspace_id cli_auth_credentials_store allow_login_shell
    background_terminal_max_timeout commit_attribution windows
  `),
  gemini: words(`
    policyPaths adminPolicyPaths general.preferredEditor general.vimMode general.defaultApprovalMode
    general.enableAutoUpdate general.checkpointing.enabled general.plan.directory general.maxAttempts
    general.sessionRetention.enabled output.format ui.theme ui.customThemes ui.hideTips ui.footer.items
    ui.accessibility.screenReader ide.enabled privacy.usageStatisticsEnabled billing.overageStrategy model.name
    model.maxSessionTurns model.summarizeToolOutput model.compressionThreshold model.disableLoopDetection
    modelConfigs.aliases agents.overrides context.fileName context.importFormat context.includeDirectories
    context.loadMemoryFromIncludeDirectories context.fileFiltering.respectGitIgnore tools.sandbox
    tools.shell.enableInteractiveShell tools.core tools.allowed tools.exclude tools.discoveryCommand
    tools.callCommand tools.useRipgrep mcp.serverCommand mcp.allowed mcp.excluded useWriteTodos
    security.disableYoloMode security.blockGitExtensions security.folderTrust.enabled
    security.environmentVariableRedaction.allowed security.environmentVariableRedaction.blocked
    security.environmentVariableRedaction.enabled security.auth.selectedType advanced.autoConfigureMemory
    advanced.dnsResolutionOrder advanced.excludedEnvVars advanced.bugCommand experimental.enableAgents
    experimental.worktrees skills.enabled skills.disabled hooksConfig.enabled hooks telemetry.enabled
    telemetry.target admin.secureModeEnabled admin.mcp.enabled mcpServers
  `),
  opencode: words(`
    $schema theme keybinds logLevel tui server command watcher plugin snapshot share autoshare autoupdate
    disabled_providers enabled_providers model small_model default_agent username mode agent provider mcp
    formatter lsp instructions layout permission tools enterprise compaction experimental
  `),
};

function words(text: string): ReadonlyArray<string> {
  return text.trim().split(/\s+/);
}
