import { defined, type Result } from '@attractor/base';
import type { HostVariables } from './passed-on.ts';

/** What a configuration says of a foreign agent. Everything but what it sees of the person's is known already. */
export type ForeignDefinition = {
  readonly displayName?: string;
  /** Instead of the program that is searched for; further arguments are put before ours. */
  readonly command?: readonly [string, ...string[]];
  /** The person's variables that it sees, such as the one with its key. */
  readonly env: ReadonlyArray<string>;
  /** It uses the person's own login, and with it the folder of their home that the login is in. */
  readonly useMyLogin: boolean;
  /** Which of the known agents of the protocol it is. */
  readonly agent?: string;
  /** The agent's own mode in which it works. */
  readonly mode?: string;
};

export type ForeignAgentOptions = {
  /** The name under which it was configured. */
  readonly type: string;
  readonly definition: ForeignDefinition;
  /** The host's variables; those that the definition names are passed on. */
  readonly env: HostVariables;
  /** How long it may say nothing at all after its start. Absent: a minute. */
  readonly silenceMs?: number;
};

/** Parses a configuration, or says what is wrong and what would be right. Other fields of an agent may be beside these. */
export function readForeignDefinition(value: Readonly<Record<string, unknown>>): Result<ForeignDefinition> {
  const { displayName, command, env = [], useMyLogin = false, agent, mode } = value;
  for (const [name, text] of Object.entries({ displayName, agent, mode }))
    if (text !== undefined && (typeof text !== 'string' || text.trim() === ''))
      return wrong(`"${name}" must be a text`);
  const argv = command === undefined ? undefined : argvOf(command);
  if (argv === null) return wrong('"command" must be a list of arguments such as ["/opt/bin/agent"]');
  if (!isTexts(env) || !env.every((name) => /^\w+$/.test(name)))
    return wrong('"env" must be a list of names of variables');
  if (typeof useMyLogin !== 'boolean') return wrong('"useMyLogin" must be true or false');
  const texts = defined({ displayName: textOf(displayName), agent: textOf(agent), mode: textOf(mode) });
  return { ok: true, value: { env, useMyLogin, ...texts, ...defined({ command: argv }) } };
}

export const NO_DEFINITION: ForeignDefinition = { env: [], useMyLogin: false };

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function argvOf(value: unknown): readonly [string, ...string[]] | null {
  if (!isTexts(value)) return null;
  const [file, ...args] = value;
  return file === undefined || file.trim() === '' ? null : [file, ...args];
}

function isTexts(value: unknown): value is ReadonlyArray<string> {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\0'));
}

function wrong(message: string): Result<never> {
  return { ok: false, error: { code: 'invalid', message, retryable: false } };
}
