import { programFiles } from '@attractor/confine';
import { RUN_DEFAULTS } from '@attractor/facts';
import type { Agent, AgentRunOptions } from './agent.ts';
import { claudeDialogue } from './claude-code/dialogue.ts';
import { availabilityOf, type ProgramFacts } from './program/availability.ts';
import type { ForeignAgentOptions } from './program/foreign-definition.ts';
import { ownHome } from './program/own-home.ts';
import { passedOn } from './program/passed-on.ts';
import { programCalls, type ProgramKind } from './program/run-program.ts';
import { SERVER_NAME } from './run-tools/run-tools.ts';

const FACTS: ProgramFacts = {
  name: 'Claude Code',
  install: 'Install it with: npm install -g @anthropic-ai/claude-code',
  atLeast: '2.0.0',
  keys: ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'],
  loginFiles: ['.claude/.credentials.json', '.claude.json'],
  logIn: 'start "claude" and type /login',
};

/**
 * The installed Claude Code as an agent. Every tool call passes our guard, permissions are asked for as any other, and its conversation is
 * continued by its own id. Of the person's settings and secrets it sees what its definition names.
 */
export function createClaudeCodeAgent(foreign: ForeignAgentOptions): Agent {
  const { type, definition, env, silenceMs } = foreign;
  const [file, ...before] = definition.command ?? ['claude'];
  const kind: ProgramKind = {
    name: definition.displayName ?? FACTS.name,
    remembers: true,
    silenceMs,
    secrets: passedOn(definition.env, env),
    prepare: async (call) => {
      const login = { isUsed: definition.useMyLogin, folders: ['.claude'] };
      const { folders, own } = ownHome(call.options, login);
      return {
        argv: [file, ...before, ...argumentsFor(call.options, call.session)],
        readable: programFiles([file, ...before]),
        own: { ...own, ...QUIET },
        given: { folders },
        dialogue: claudeDialogue(FACTS.name, call),
      };
    },
  };
  return {
    type,
    displayName: kind.name,
    isAvailable: () => availabilityOf({ file, facts: FACTS, definition, type, kind: 'claude-code', env }),
    getDefaultConfig: () => ({ ...RUN_DEFAULTS, model: 'claude-sonnet-4-5-20250929' }),
    ...programCalls(kind),
  };
}

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
};

/** Tools that ask at a terminal, leave the folder, or outlive the run. */
const NOT_HERE = 'AskUserQuestion,EnterWorktree,ExitWorktree,CronCreate,CronDelete,ScheduleWakeup';

function argumentsFor({ config, readOnly }: AgentRunOptions, session: string | null): ReadonlyArray<string> {
  const servers = { mcpServers: { [SERVER_NAME]: { type: 'sdk', name: SERVER_NAME } } };
  return [
    '--output-format',
    'stream-json',
    '--input-format',
    'stream-json',
    '--verbose',
    '--include-partial-messages',
    '--replay-user-messages',
    '--permission-prompt-tool',
    'stdio',
    '--permission-mode',
    readOnly ? 'plan' : 'default',
    // Settings of the repository and of the person count for our own rules, which judge every call.
    '--setting-sources',
    '',
    '--strict-mcp-config',
    '--mcp-config',
    JSON.stringify(servers),
    '--disallowedTools',
    NOT_HERE,
    ...(config.model === undefined ? [] : ['--model', config.model]),
    ...(config.maxTurns === undefined ? [] : ['--max-turns', String(config.maxTurns)]),
    ...(session === null ? [] : ['--resume', session]),
  ];
}
