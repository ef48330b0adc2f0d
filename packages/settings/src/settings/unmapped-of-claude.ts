import { once } from '@attractor/base';

/** Names by the reason that they share. */
const SHARED: ReadonlyArray<readonly [reason: string, names: string]> = [
  [
    'no command leaves the sandbox but those of sandbox.excludedCommands',
    `sandbox.enableWeakerNestedSandbox sandbox.enableWeakerNetworkIsolation sandbox.ignoreViolations
     sandbox.allowAppleEvents sandbox.enabledPlatforms sandbox.ripgrep sandbox.bwrapPath sandbox.socatPath`,
  ],
  [
    'only allowed domains are ever reached, through a proxy of our own',
    `sandbox.network.allowManagedDomainsOnly sandbox.network.tlsTerminate sandbox.network.parentProxy`,
  ],
  [
    'commands in the sandbox reach no service of this machine',
    `sandbox.network.allowAllUnixSockets sandbox.network.allowMachLookup`,
  ],
  [
    'a conversation is made shorter before its window is full, always',
    `autoCompactWindow precomputeCompactionEnabled precomputeArmTokens idleCompaction`,
  ],
  [
    'no helper program is run',
    `proxyAuthHelper gcpAuthRefresh processWrapper policyHelper policyHelpers fileSuggestion`,
  ],
  [
    'nothing of an account at Anthropic is used',
    `syncClaudeAiSkills syncClaudeAiPlugins disableClaudeAiConnectors allowAllClaudeAiMcps forceLoginGatewayUrl
     gatewayInternalNetworks forceRemoteSettingsRefresh remote remoteControl remoteTools disableRemoteControl remoteControlAtStartup
     autoUploadSessions autoContinueAtUsageLimit feedbackSurveyRate feedbackDrafts skipWebFetchPreflight`,
  ],
  [
    'how things look in that program',
    `viewMode tui theme editorMode keybindingFlavor vimInsertModeRemaps verbose preferredNotifChannel spinnerVerbs
     spinnerTipsOverride syntaxHighlightingDisabled maxProseWidth spellcheck terminalTitleFromRename
     emojiCompletionEnabled prefersReducedMotion timeFormat timeZone autoScrollEnabled
     wheelScrollAccelerationEnabled showTurnDuration showMessageTimestamps terminalProgressBarEnabled
     showThinkingSummaries showClearContextOnPlanAccept promptSuggestionEnabled defaultView prUrlTemplate
     footerLinksRegexes subagentStatusLine voice voiceEnabled inputNeededNotifEnabled agentPushNotifEnabled
     pluginTrustMessage breakReminder quietHours clawdFileProgressEnabled awaySummaryEnabled
     responseComparisonEnabled skipWorkflowUsageWarning`,
  ],
  [
    'nothing is updated by itself here',
    `autoUpdatesChannel minimumVersion requiredMinimumVersion requiredMaximumVersion disableDeepLinkRegistration`,
  ],
  [
    'a plugin counts if it is installed and switched on',
    `prependPlugins appendPlugins additionalMarketplaces strictKnownMarketplaces allowedMarketplaces
     blockedMarketplaces disableCommandPluginSources disableSideloadFlags pluginSuggestionMarketplaces
     pluginConfigs strictPluginOnlyCustomization channelsEnabled allowedChannelPlugins`,
  ],
  [
    'models are chosen by the person: see model',
    `availableModels enforceAvailableModels availableModelsMatch deniedModels modelOverrides modelPicker
     modelPricing allowedProviders advisorModel fastMode fastModePerSessionOptIn switchModelsOnFlag
     modelSettings maxEffortLevel ultracode alwaysThinkingEnabled promptCacheTtl subagentPromptCacheTtl`,
  ],
  [
    'there is no automatic mode here',
    `disableAutoMode autoMode useAutoModeDuringPlan skipAutoPermissionPrompt skipDangerousModePermissionPrompt
     permissions.skipDangerousModePermissionPrompt`,
  ],
  [
    'managed settings win over all others; they switch nothing else off',
    `allowManagedHooksOnly allowManagedPermissionRulesOnly allowManagedMcpServersOnly parentSettingsBehavior
     managedSourcesBehavior wslInheritsWindowsSettings`,
  ],
  [
    'servers are limited with disabledMcpjsonServers and with rules',
    `managedMcpServers allowedMcpServers deniedMcpServers allowClaudeInChromeWithManagedMcp`,
  ],
  ['hooks call what they name', `allowedHttpHookUrls httpHookAllowedEnvVars`],
  ['a command in a skill runs only if rules allow it', `disableSkillShellExecution`],
  [
    'there is no such part here',
    `disableReplyCheck disableAgentView disableWorkflows disableArtifact enableArtifact enableWorkflows
     workflowSizeGuideline workflowKeywordTriggerEnabled disableBundledSkills disableWindowsBashCommandSplit
     bashEditDiffEnabled respondToBashCommands teammateMode isolatePeerMachines daemonColdStart
     crossSessionInbound sshConfigs sshHostCommands askUserQuestionTimeout dialogExpiry
     desktopSessionCleanupPeriodDays`,
  ],
  [
    'commands run in bash, and long output is cut by its own limits',
    `defaultShell bashOutputMaxChars taskOutputMaxChars`,
  ],
  ['git ignores are always respected', `respectGitignore`],
  ['what an agent remembers is kept in its own place', `autoMemoryEnabled autoMemoryDirectory autoDreamEnabled`],
  ['instruction files are read where they are', `claudeMd claudeMdExcludes includeGitInstructions`],
  ['commits carry the author that a person configured', `attributionProject attributionProjectPolicy`],
  ['skills are listed in full', `skillListingMaxDescChars skillListingBudgetFraction`],
  ['files can always be taken back, and lists of steps are always kept', `fileCheckpointingEnabled todoFeatureEnabled`],
  ['give it with --agent', `agent`],
  [
    'the model is told of nothing but the work',
    `totalTokensReminder totalTokensReminderBudget totalTokensReminderAfterUserTurn modelProposedGoals doneMeansMerged`,
  ],
];

/** Claude Code's settings without a counterpart here, with the reason; they are shown, not ignored silently. */
export const unmappedOfClaude = once<Readonly<Record<string, string>>>(() => ({
  $schema: 'names a schema for editors',
  'permissions.disableAutoMode': 'there is no automatic mode here',
  'sandbox.credentials.allowPlaintextInject': 'no credential is put into requests',
  'sandbox.credentials.awsPairs': 'no credential is put into requests',
  'sandbox.credentials.sigv4': 'no credential is put into requests',
  'sandbox.filesystem.allowManagedReadPathsOnly': 'what may not be read is not made readable by anybody',
  'sandbox.filesystem.disabled': 'the sandbox always holds its limits on files',
  'sandbox.allowNestedUserNamespaces': 'commands in the sandbox start no other one',
  awsAuthRefresh: 'no helper program is run',
  awsCredentialExport: 'no helper program is run',
  attribution: 'commits carry the author that a person configured',
  includeCoAuthoredBy: 'commits carry the author that a person configured',
  cleanupPeriodDays: 'sessions are kept until a person deletes them',
  companyAnnouncements: 'nothing is announced here',
  effortLevel: 'effort is chosen per session',
  enabledPlugins: 'switches installed plugins on in ~/.claude/settings.json, and nowhere else',
  extraKnownMarketplaces: 'there are no marketplaces here',
  forceLoginMethod: 'there is no login here',
  forceLoginOrgUUID: 'there is no login here',
  language: 'the model answers in the language it is asked in',
  otelHeadersHelper: 'no helper program is run',
  plansDirectory: 'plans are kept with their tasks',
  skillOverrides: 'every skill that is found can be used',
  spinnerTipsEnabled: 'there are no tips here',
  worktree: 'worktrees stand under .agent-worktrees',
  ...Object.fromEntries(SHARED.flatMap(([reason, names]) => names.split(/\s+/).map((name) => [name, reason]))),
}));
