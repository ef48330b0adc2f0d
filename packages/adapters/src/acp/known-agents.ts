import type { ProgramFacts } from '../program/availability.ts';
import { SERVER_NAME } from '../run-tools/run-tools.ts';

/** An agent that speaks the Agent Client Protocol: how it is started, and how a person gets it. */
export type KnownAcpAgent = {
  readonly facts: ProgramFacts;
  readonly command: readonly [string, ...string[]];
  /** Folders of the person's home that a login of theirs is kept in. */
  readonly loginFolders: ReadonlyArray<string>;
  /** How it logs in by itself with a key that it was given; absent: it needs no word about that. */
  readonly authMethod?: string;
  /** Its mode in which it changes nothing, if it has one that can be relied on. */
  readonly readOnlyMode?: string;
  /** Its mode in which it asks before it acts. */
  readonly askingMode?: string;
  readonly variables?: Readonly<Record<string, string>>;
  /** Settings that count above those of the repository and of the person, in a file that this variable names. */
  readonly settings?: { readonly variable: string; readonly content: object };
};

/** By the type under which each is chosen. A further one is a row here, or a "command" in a configuration. */
export const KNOWN_ACP_AGENTS: Readonly<Record<string, KnownAcpAgent>> = {
  gemini: {
    facts: {
      name: 'Gemini CLI',
      install: 'Install it with: npm install -g @google/gemini-cli',
      atLeast: '0.30.0',
      keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
      loginFiles: ['.gemini/oauth_creds.json'],
      logIn: 'start "gemini" and log in',
    },
    command: ['gemini', '--acp'],
    loginFolders: ['.gemini'],
    authMethod: 'gemini-api-key',
    askingMode: 'default',
    // In a folder that it does not trust it starts no server, ours neither. It would start itself once more for a larger memory.
    variables: {
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    // What a trusted folder's own settings would start, or let pass without asking.
    settings: {
      variable: 'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
      content: {
        advanced: { ignoreLocalEnv: true },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        hooksConfig: { enabled: false },
        mcp: { allowed: [SERVER_NAME], serverCommand: '' },
        privacy: { usageStatisticsEnabled: false },
        tools: { allowed: [], callCommand: '', discoveryCommand: '' },
      },
    },
  },
  opencode: {
    facts: {
      name: 'opencode',
      install: 'Install it with: npm install -g opencode-ai',
      atLeast: '1.0.0',
      keys: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENCODE_API_KEY'],
      loginFiles: ['.local/share/opencode/auth.json'],
      logIn: 'run "opencode auth login"',
    },
    command: ['opencode', 'acp'],
    loginFolders: ['.local/share/opencode', '.config/opencode'],
    // Settings of the repository could start servers and plugins, and let commands pass without asking.
    variables: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_PURE: '1',
      OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","external_directory":"ask"}',
    },
  },
  'claude-acp': {
    facts: {
      name: 'Claude Code over ACP',
      install: 'Install it with: npm install -g @agentclientprotocol/claude-agent-acp',
      keys: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
      loginFiles: ['.claude/.credentials.json'],
      logIn: 'start "claude" and type /login',
    },
    command: ['claude-agent-acp'],
    loginFolders: ['.claude'],
    readOnlyMode: 'plan',
    askingMode: 'default',
    variables: { DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1' },
  },
  'codex-acp': {
    facts: {
      name: 'Codex over ACP',
      install: 'Install it with: npm install -g @zed-industries/codex-acp',
      keys: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
      loginFiles: ['.codex/auth.json'],
      logIn: 'run "codex login"',
    },
    command: ['codex-acp'],
    loginFolders: ['.codex'],
    readOnlyMode: 'read-only',
    // Its other modes write to the temporary folder without asking.
    askingMode: 'read-only',
  },
  cursor: {
    facts: {
      name: 'Cursor',
      install: 'Install it with: curl https://cursor.com/install -fsS | bash',
      keys: ['CURSOR_API_KEY'],
      loginFiles: ['.cursor/cli-config.json', '.config/cursor/auth.json'],
      logIn: 'run "cursor-agent login"',
    },
    command: ['cursor-agent', 'acp'],
    loginFolders: ['.cursor', '.config/cursor'],
  },
  goose: {
    facts: {
      name: 'goose',
      install: 'How to install it: https://block.github.io/goose',
      keys: ['GOOSE_PROVIDER', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
      loginFiles: ['.config/goose/config.yaml'],
      logIn: 'run "goose configure"',
    },
    command: ['goose', 'acp'],
    loginFolders: ['.config/goose', '.local/share/goose'],
    variables: { GOOSE_MODE: 'approve' },
  },
  qwen: {
    facts: {
      name: 'Qwen Code',
      install: 'Install it with: npm install -g @qwen-code/qwen-code',
      keys: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
      loginFiles: ['.qwen/oauth_creds.json'],
      logIn: 'start "qwen" and log in',
    },
    command: ['qwen', '--acp'],
    loginFolders: ['.qwen'],
    authMethod: 'openai',
    askingMode: 'default',
  },
};
