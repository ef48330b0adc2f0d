import { isSecretVariable } from '@attractor/redact';
import { steeringOf } from './steering-variables.ts';

/**
 * `inherit_core` (default): only the named core variables. `inherit_harmless`: all but secrets, what makes programs load or run something,
 * and what leads to programs that act for others. `inherit_all`: everything but the sensitive suffixes. `inherit_none`: only what the
 * caller passes.
 */
export type EnvVarPolicy = 'inherit_all' | 'inherit_core' | 'inherit_harmless' | 'inherit_none';

export type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of this process. The only place in the package that reads it; everything else gets a record. */
export function hostVariables(): Variables {
  return process.env;
}

const CORE = new Set([
  'PATH',
  'HOME',
  'USER',
  'SHELL',
  'LANG',
  'TERM',
  'TMPDIR',
  'GOPATH',
  'CARGO_HOME',
  'NVM_DIR',
  'RUSTUP_HOME',
  'PYENV_ROOT',
  'JAVA_HOME',
  'NODE_PATH',
]);

const SENSITIVE = /_(?:API_KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL)$/i;

/** Variables that lead to a program which would act for whoever asks it: with keys, on a screen, as root. */
export const AGENT_VARIABLES: ReadonlyArray<string> = [
  'SSH_AUTH_SOCK',
  'SSH_AGENT_PID',
  'GPG_AGENT_INFO',
  'DBUS_SESSION_BUS_ADDRESS',
  'DOCKER_HOST',
  'XDG_RUNTIME_DIR',
  'WAYLAND_DISPLAY',
  'DISPLAY',
  'XAUTHORITY',
  'KRB5CCNAME',
];

/** Our own state and server: nothing for commands of an agent. */
const OURS = /^ATTRACTOR_/;

/** No program may wait for a person: nobody sees its pager, editor or password prompt. */
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
};

/** A bash that is not told its own name looks it up in the system's user directory at every start, which may be on another machine. */
const SHELL = '/bin/bash';

const INHERITED: Readonly<Record<EnvVarPolicy, (name: string, value: string) => boolean>> = {
  inherit_core: (name) => CORE.has(name),
  inherit_harmless: isHarmless,
  inherit_all: (name) => !SENSITIVE.test(name),
  inherit_none: () => false,
};

/** What a child process sees: the host's variables as the policy allows, then the caller's own, which always win. */
export function childVariables(policy: EnvVarPolicy, host: Variables, caller: Variables = {}): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && INHERITED[policy](name, value)) variables[name] = value;
  }
  if (policy !== 'inherit_none') Object.assign(variables, UNATTENDED, { SHELL: variables['SHELL'] ?? SHELL });
  return withOwn(variables, caller);
}

/** Places from which only some programs load stay: whoever judges a command knows these programs. */
function isHarmless(name: string, value: string): boolean {
  if (OURS.test(name) || AGENT_VARIABLES.includes(name)) return false;
  const steering = steeringOf(name, value, []);
  const isJudged = steering === null || (steering.isPlace && steering.programs !== null);
  return isJudged && !isSecretVariable(name, value);
}

/** A copy with the caller's own. */
export function withOwn(variables: Readonly<Record<string, string>>, caller: Variables = {}): Record<string, string> {
  const all = { ...variables };
  for (const [name, value] of Object.entries(caller)) if (value !== undefined) all[name] = value;
  return all;
}
