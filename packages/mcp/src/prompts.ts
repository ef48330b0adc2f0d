import { defined } from '@attractor/base';
import type { ImagePart, TextPart } from '@attractor/llm';
import type { Prompt, PromptMessage } from '@modelcontextprotocol/client';
import type { Connection } from './connection.ts';
import { failed, type McpOutcome } from './failure.ts';
import { toolName } from './names.ts';
import { partOf } from './result.ts';

/** A server's prompt as a command that a person can type. */
export type McpCommand = {
  /** `mcp__server__prompt`, without the slash. */
  readonly name: string;
  readonly description: string;
  readonly arguments: ReadonlyArray<{
    readonly name: string;
    readonly required: boolean;
    readonly description?: string;
  }>;
};

export type McpExpanded = { readonly parts: ReadonlyArray<TextPart | ImagePart> };

type Known = { readonly command: McpCommand; readonly prompt: Prompt; readonly connection: Connection };

/** `running`: of those that run already; asking the others would start them. */
export async function listCommands(
  servers: ReadonlyMap<string, Connection>,
  which: 'all' | 'running' = 'all',
): Promise<ReadonlyArray<McpCommand>> {
  const asked = [...servers].filter(([, connection]) => which === 'all' || connection.state() === 'on');
  return (await knownCommands(asked)).map(({ command }) => command);
}

/** Null: the text is no command of a server here. */
export async function expandCommand(
  text: string,
  { servers, signal }: { readonly servers: ReadonlyMap<string, Connection>; readonly signal?: AbortSignal },
): Promise<McpOutcome<McpExpanded> | null> {
  const [, name = '', rest = ''] = /^\s*\/(mcp__\S+)\s*([^]*)$/.exec(text) ?? [];
  const meant = [...servers].filter(([key]) => name.startsWith(`mcp__${key}__`));
  const known = (await knownCommands(meant)).find(({ command }) => command.name === name);
  if (known === undefined) return null;
  const { prompt, connection } = known;
  const args = argumentsOf(prompt, words(rest));
  const missing = (prompt.arguments ?? []).filter(
    ({ name: wanted, required }) => required === true && !(wanted in args),
  );
  if (missing.length > 0)
    return failed('refused', `/${name} needs ${missing.map((argument) => argument.name).join(', ')} after it.`);
  const asked = await connection.ask(
    (client, options) =>
      client.getPrompt({ name: prompt.name, arguments: args }, { signal: options.signal, timeout: options.timeout }),
    { signal },
  );
  return asked.ok ? { ok: true, value: { parts: partsOf(asked.value.messages) } } : asked;
}

async function knownCommands(servers: ReadonlyArray<readonly [string, Connection]>): Promise<ReadonlyArray<Known>> {
  const lists = await Promise.all(
    servers.map(async ([key, connection]) => {
      if (connection.offered()?.hasPrompts === false) return [];
      const prompts = await connection.prompts();
      const taken = new Set<string>();
      return prompts.ok
        ? prompts.value.map((prompt) => ({
            prompt,
            connection,
            command: commandOf(prompt, toolName(key, prompt.name, taken)),
          }))
        : [];
    }),
  );
  return lists.flat();
}

function commandOf(prompt: Prompt, name: string): McpCommand {
  return {
    name,
    description: prompt.description ?? prompt.title ?? '',
    arguments: (prompt.arguments ?? []).map(({ name: argument, required, description }) => ({
      name: argument,
      required: required === true,
      ...defined({ description }),
    })),
  };
}

/** Words in quotes are one. */
function words(text: string): ReadonlyArray<string> {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  );
}

/** In order; the last argument takes everything that is left. `name=value` names its own. */
function argumentsOf(prompt: Prompt, given: ReadonlyArray<string>): Record<string, string> {
  const wanted = (prompt.arguments ?? []).map(({ name }) => name);
  const args: Record<string, string> = {};
  const inOrder: string[] = [];
  for (const word of given) {
    const [, name = '', value = ''] = /^([\w-]+)=([^]*)$/.exec(word) ?? [];
    if (wanted.includes(name)) args[name] = value;
    else inOrder.push(word);
  }
  const open = wanted.filter((name) => !(name in args));
  open.forEach((name, index) => {
    const isLast = index === open.length - 1;
    const value = isLast ? inOrder.slice(index).join(' ') : inOrder[index];
    if (value !== undefined && value !== '') args[name] = value;
  });
  return args;
}

function partsOf(messages: ReadonlyArray<PromptMessage>): ReadonlyArray<TextPart | ImagePart> {
  return messages.flatMap(({ role, content }) => {
    const { text, image } = partOf(content);
    const said: TextPart[] =
      text === '' ? [] : [{ kind: 'TEXT', text: role === 'user' ? `${text}\n` : `[${role}] ${text}\n` }];
    return image === undefined ? said : [...said, image];
  });
}
