import { defined } from '@attractor/base';
import { lineRules, type LineRule } from './line-rules.ts';

/**
 * A command as an agent: an argument vector, never a shell's line. `{prompt}`, `{promptFile}`, `{worktree}` and `{model}` are replaced by
 * the run's values; a prompt that no argument names is written to stdin. It sees the harmless variables of every command and those that
 * `env` names.
 */
export type CliDefinition = {
  readonly displayName?: string;
  readonly command: readonly [string, ...string[]];
  /** Used instead in runs that only read. Without a sandbox the person vouches that it changes nothing. */
  readonly readOnlyCommand?: readonly [string, ...string[]];
  readonly env: ReadonlyArray<string>;
  readonly output: 'text' | 'json-lines';
  /** What a line of JSON means; the first matching rule counts. */
  readonly lines: ReadonlyArray<LineRule>;
};

export type DefinitionReading =
  | { readonly ok: true; readonly value: CliDefinition }
  | { readonly ok: false; readonly problem: string };

const OUTPUTS = ['text', 'json-lines'] as const;

/** Parses a configuration, or says what is wrong and what would be right. Other fields of an agent may be beside these. */
export function readCliDefinition(value: Readonly<Record<string, unknown>>): DefinitionReading {
  const { displayName, readOnlyCommand, env = [], output = 'text', lines = [] } = value;
  const command = argv(value['command']);
  if (command === null)
    return wrong('"command" must be a list of arguments such as ["aider", "--message", "{prompt}"]');
  const reading = readOnlyCommand === undefined ? undefined : argv(readOnlyCommand);
  if (reading === null) return wrong('"readOnlyCommand" must be a list of arguments');
  if (!isTexts(env) || !env.every((name) => /^\w+$/.test(name)))
    return wrong('"env" must be a list of names of variables');
  const shape = OUTPUTS.find((known) => known === output);
  if (shape === undefined) return wrong(`"output" must be one of ${OUTPUTS.join(', ')}`);
  if (displayName !== undefined && typeof displayName !== 'string') return wrong('"displayName" must be a text');
  const rules = lineRules(lines);
  if (typeof rules === 'string') return wrong(rules);
  if (shape === 'json-lines' && rules.length === 0)
    return wrong('"lines" must say what a line of JSON means, such as [{ "kind": "text", "text": "message" }]');
  return {
    ok: true,
    value: {
      command,
      env,
      output: shape,
      lines: rules,
      ...defined({ displayName, readOnlyCommand: reading }),
    },
  };
}

export type Filling = {
  readonly prompt: string;
  readonly promptFile: string;
  readonly worktree: string;
  readonly model: string;
};

const PLACEHOLDER = /\{(prompt|promptFile|worktree|model)\}/g;

/** Inserted values are not expanded again: a placeholder inside a prompt stays as it is. */
export function fillArguments(
  [file, ...args]: CliDefinition['command'],
  filling: Filling,
): readonly [string, ...string[]] {
  const fill = (word: string): string =>
    word.replaceAll(PLACEHOLDER, (_all, name: string) => String(Reflect.get(filling, name)));
  return [fill(file), ...args.map(fill)];
}

export function names(command: CliDefinition['command'], placeholder: keyof Filling): boolean {
  return command.some((word) => word.includes(`{${placeholder}}`));
}

function argv(value: unknown): readonly [string, ...string[]] | null {
  if (!isTexts(value)) return null;
  const [file, ...args] = value;
  return file === undefined || file.trim() === '' ? null : [file, ...args];
}

function isTexts(value: unknown): value is ReadonlyArray<string> {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'));
}

function wrong(problem: string): DefinitionReading {
  return { ok: false, problem };
}
