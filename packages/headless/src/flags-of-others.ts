/** A flag of `claude -p` that has no effect here; giving it is refused with the reason, never ignored. `takes`: it has a value. */
type RefusedFlag = { readonly name: string; readonly takes: boolean; readonly reason: string };

const WITH_VALUE: Readonly<Record<string, string>> = {
  '--plugin-dir-no-mcp': 'its servers would start: use --plugin-dir',
  '--channels': 'there are no channels here',
  '--autocompact': 'a conversation is made shorter when its window is nearly full',
  '--environment': 'there are no cloud sessions here',
  '--file': "files of Anthropic's service are not fetched",
  '--plugin-url': 'no plugin is fetched: use --plugin-dir',
  '--remote-control-session-name-prefix': 'there is no remote control here: see `attractor serve`',
  '--system-prompt-snapshot': 'the system text of a session never changes',
};

const WITHOUT_VALUE: Readonly<Record<string, string>> = {
  '--await-claim': 'a process belongs to its folder from the start: use startup() of the SDK in place of prewarm()',
  '--managed-settings-in-initialize': 'give them with --managed-settings',
  '--ide': 'no editor is looked for: see `attractor acp`',
  '--chrome': 'there is no browser to drive',
  '--bg': 'see `attractor run --detach`',
  '--background': 'see `attractor run --detach`',
  '--brief': 'there is no tool of that kind',
  '--cloud': 'there are no cloud sessions here',
  '--desktop': 'there is no app to open',
  '--exclude-dynamic-system-prompt-sections': 'the system text is one piece here',
  '--from-pr': 'sessions are not linked to pull requests: use --resume',
  '--remote-control': 'there is no remote control here: see `attractor serve`',
  '--teleport': 'there are no cloud sessions here',
  '--tmux': 'see `attractor run`',
  '--worktree': 'work in a worktree of its own is a task: `attractor run`',
};

export const REFUSED_FLAGS: ReadonlyArray<RefusedFlag> = [
  ...Object.entries(WITH_VALUE).map(([name, reason]) => ({ name, reason, takes: true })),
  ...Object.entries(WITHOUT_VALUE).map(([name, reason]) => ({ name, reason, takes: false })),
];

/** Flags that ask for what is always so here. */
export const NEEDLESS_FLAGS: ReadonlyArray<string> = [
  '--verbose',
  '--await-initialize',
  '--include-hook-events',
  '--forward-subagent-text',
  '--no-chrome',
  '--ax-screen-reader',
];

/** Variables by which the Claude Agent SDK passes options on, or that choose a service which is not asked here. */
const REFUSED_VARIABLES: Readonly<Record<string, string>> = {
  CLAUDE_CODE_USE_FOUNDRY:
    'Foundry is asked with a key: set ANTHROPIC_FOUNDRY_API_KEY, and ANTHROPIC_FOUNDRY_RESOURCE or ANTHROPIC_FOUNDRY_BASE_URL',
  CLAUDE_CODE_USE_MANTLE: 'this way to Bedrock is not known here: set CLAUDE_CODE_USE_BEDROCK instead',
  CLAUDE_CODE_USE_ANTHROPIC_AWS:
    'this way to Anthropic is not known here: set ANTHROPIC_API_KEY, or CLAUDE_CODE_USE_BEDROCK',
};

/** Why the run can't start with these variables, or null. */
export function refusedVariable(env: Readonly<Record<string, string | undefined>>): string | null {
  const name = Object.keys(REFUSED_VARIABLES).find((one) => !/^(?:0|false|no|off)?$/i.test((env[one] ?? '').trim()));
  if (name === 'CLAUDE_CODE_USE_FOUNDRY' && hasFoundry(env)) return null;
  return name === undefined ? null : `${REFUSED_VARIABLES[name]} (${name}).`;
}

function hasFoundry(env: Readonly<Record<string, string | undefined>>): boolean {
  const isSet = (name: string): boolean => (env[`ANTHROPIC_FOUNDRY_${name}`] ?? '') !== '';
  return isSet('API_KEY') && (isSet('RESOURCE') || isSet('BASE_URL'));
}
