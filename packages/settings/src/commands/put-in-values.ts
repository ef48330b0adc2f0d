/** The values for a template. `names` are those of its arguments, in order; `firstIs`: the number of the first one. */
export type TemplateValues = {
  readonly arguments: string;
  readonly names: ReadonlyArray<string>;
  readonly firstIs: 0 | 1;
  readonly sessionId: string;
  readonly folder: string;
};

export function putInClaudeValues(text: string, values: TemplateValues): string {
  const words = wordsOf(values.arguments);
  const byName = new Map(values.names.map((name, index) => [name, words[index] ?? '']));
  return text.replaceAll(VALUE, (written, ...groups: ReadonlyArray<string | undefined>) => {
    const [index, all, number, constant, name] = groups;
    if (index !== undefined) return words[Number(index)] ?? '';
    if (all !== undefined) return values.arguments;
    if (number !== undefined) return words[Number(number) - values.firstIs] ?? '';
    if (constant !== undefined) return constant === 'CLAUDE_SESSION_ID' ? values.sessionId : values.folder;
    return byName.get(name ?? '') ?? written;
  });
}

const VALUE =
  /\$ARGUMENTS\[(\d+)\]|(\$ARGUMENTS\b|\$@)|\$(\d)(?!\d)|\$\{(CLAUDE_SESSION_ID|CLAUDE_SKILL_DIR)\}|\$([A-Za-z_]\w*)/g;

/** Whether the template says where its arguments go. */
export function takesArguments(text: string, names: ReadonlyArray<string>): boolean {
  return /\$ARGUMENTS|\$@|\$\d|\{\{args\}\}/.test(text) || names.some((name) => text.includes(`$${name}`));
}

/** Words as a shell would split them: quotes keep blanks together. */
function wordsOf(text: string): ReadonlyArray<string> {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replaceAll(/\\(.)/g, '$1') ?? single ?? plain ?? '',
  );
}

/** One word for bash, whatever it contains. */
export function asShellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
