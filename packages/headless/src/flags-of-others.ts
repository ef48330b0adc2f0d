/** A flag of `claude -p` that has no effect here; giving it is refused with the reason, never ignored. `takes`: it has a value. */
type RefusedFlag = { readonly name: string; readonly takes: boolean; readonly reason: string };

const WITH_VALUE: Readonly<Record<string, string>> = {
  '--task-budget': 'no service here paces a model by a budget: use --max-turns or --max-budget-usd',
  '--betas': "Anthropic's beta headers are not sent; the window of a model is the one of the catalogue",
  '--channels': 'there are no channels here',
  '--project-config-root': 'settings and instructions are those of the folder that is worked in',
  '--resume-session-at': 'a session goes on from its end; `attractor sessions fork` copies an earlier part',
  '--resume-drops-turn': 'a session goes on from its end',
  '--thinking-display': 'thinking is shown as the service gives it',
  '--agent': 'an agent works for a session, it does not take its place: use --system-prompt and --tools',
};

const WITHOUT_VALUE: Readonly<Record<string, string>> = {
  '--session-mirror': 'sessions are kept in ATTRACTOR_HOME alone',
  '--managed-settings-in-initialize': 'give them with --managed-settings',
  '--ide': 'no editor is looked for: see `attractor acp`',
  '--chrome': 'there is no browser to drive',
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
  '--debug',
];

/** Variables by which the Claude Agent SDK passes options on. */
const REFUSED_VARIABLES: Readonly<Record<string, string>> = {
  CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING:
    'enableFileCheckpointing: files are taken back with `attractor sessions rewind`',
  CLAUDE_CODE_QUESTION_PREVIEW_FORMAT:
    'toolConfig.askUserQuestion: previews of answers are given as the model writes them',
};

/** Why the run can't start with these variables, or null. */
export function refusedVariable(env: Readonly<Record<string, string | undefined>>): string | null {
  const name = Object.keys(REFUSED_VARIABLES).find((one) => (env[one] ?? '') !== '');
  return name === undefined ? null : `${REFUSED_VARIABLES[name]} (${name}).`;
}
