/** What a program needs to find its tools and speak the person's language. Keys and tokens of the person are not among it. */
const VISIBLE =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TERM|TMPDIR|TZ|GOPATH|CARGO_HOME|RUSTUP_HOME|NVM_DIR|PYENV_ROOT|JAVA_HOME|XDG_[A-Z]+_HOME)$/;

export function visibleVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const visible: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && VISIBLE.test(name)) visible[name] = value;
  return visible;
}
