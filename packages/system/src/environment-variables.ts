/**
 * `inherit_core` (default): only the named core variables. `inherit_all`: everything but the sensitive suffixes. `inherit_none`: only what
 * the caller passes.
 */
export type EnvVarPolicy = 'inherit_all' | 'inherit_core' | 'inherit_none';

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

const INHERITED: Readonly<Record<EnvVarPolicy, (name: string) => boolean>> = {
  inherit_core: (name) => CORE.has(name),
  inherit_all: (name) => !SENSITIVE.test(name),
  inherit_none: () => false,
};

/** What a child process sees: the host's variables as the policy allows, then the caller's own, which always win. */
export function childVariables(policy: EnvVarPolicy, host: Variables, caller: Variables = {}): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value !== undefined && INHERITED[policy](name)) variables[name] = value;
  }
  if (policy !== 'inherit_none') Object.assign(variables, UNATTENDED, { SHELL: variables['SHELL'] ?? SHELL });
  return withOwn(variables, caller);
}

/** A copy with the caller's own. */
export function withOwn(variables: Readonly<Record<string, string>>, caller: Variables = {}): Record<string, string> {
  const all = { ...variables };
  for (const [name, value] of Object.entries(caller)) if (value !== undefined) all[name] = value;
  return all;
}
