/** The variables of the process that starts a program. */
export type HostVariables = Readonly<Record<string, string | undefined>>;

/** The host's variables that a configuration names; a program sees no others but the harmless ones. */
export function passedOn(names: ReadonlyArray<string>, host: HostVariables): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap((name) => (host[name] === undefined ? [] : [[name, host[name]]])));
}
