/**
 *   text := ( any | '${' name '}' | '${' name ':-' default '}' )*      in the files of most agents
 *   text := ( any | '{env:' name '}' )*                                 in those of opencode
 *
 * Only given variables are visible: the caller decides what a file may read of the environment.
 */
export type Expansion = { readonly text: string; readonly missing: ReadonlyArray<string> };

export type VariableStyle = 'dollar' | 'braces';

const PATTERNS: Readonly<Record<VariableStyle, RegExp>> = {
  dollar: /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
  braces: /\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g,
};

/** Expands the variables; one that is not set and has no default is reported as missing and left as written. */
export function expandVariables(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
  style: VariableStyle = 'dollar',
): Expansion {
  const missing: string[] = [];
  const expanded = text.replaceAll(PATTERNS[style], (whole, name: string, fallback?: unknown) => {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value !== undefined && (value !== '' || typeof fallback !== 'string')) return value;
    if (typeof fallback === 'string') return fallback;
    missing.push(name);
    return whole;
  });
  return { text: expanded, missing };
}
