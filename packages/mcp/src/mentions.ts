import { done } from '@attractor/base';
import type { Connection } from './connection.ts';
import { failed, type McpOutcome } from './failure.ts';
import { resourceResultOf } from './result.ts';
import type { McpToolResult } from './tool.ts';

/** The contents of what a person mentioned as `@server:uri`. */
export type McpMention = McpToolResult & { readonly mention: string; readonly server: string; readonly uri: string };

/** `@server:uri`, at the start of a word; the address extends to the next blank, without the punctuation that ends a sentence. */
const MENTION = /(?<![\w@])@([A-Za-z0-9_-]+):([a-z][\w+.-]*:[^\s<>"'`]+)/gi;

export type MentionPlace = { readonly servers: ReadonlyMap<string, Connection>; readonly signal?: AbortSignal };

/** What a server says about one of its resources, as it said it; or why not. */
export async function readResourceOf(
  servers: ReadonlyMap<string, Connection>,
  name: string,
  uri: string,
): Promise<McpOutcome<ReadonlyArray<unknown>>> {
  const connection = [...servers.values()].find(({ definition }) => definition.name === name);
  if (connection === undefined) return failed('refused', `there is no MCP server ${name} that is connected`);
  const asked = await connection.ask((client, { signal, timeout }) =>
    client.readResource({ uri }, { signal, timeout }),
  );
  return asked.ok ? done(asked.value.contents) : asked;
}

/** Reads every resource that the text mentions, each once. An unreadable one says why. */
export function readMentions(text: string, { servers, signal }: MentionPlace): Promise<ReadonlyArray<McpMention>> {
  const found = new Map<string, { readonly server: string; readonly uri: string; readonly connection: Connection }>();
  for (const [, server = '', address = ''] of text.matchAll(MENTION)) {
    const connection = servers.get(server);
    const uri = address.replace(/[.,;:!?)\]}]+$/, '');
    if (connection !== undefined) found.set(`@${server}:${uri}`, { server, uri, connection });
  }
  return Promise.all(
    [...found].map(async ([mention, { server, uri, connection }]) => {
      const asked = await connection.ask(
        (client, options) => client.readResource({ uri }, { signal: options.signal, timeout: options.timeout }),
        { signal },
      );
      const result = asked.ok ? resourceResultOf(asked.value) : { output: asked.error.message, isError: true };
      return { mention, server, uri, ...result };
    }),
  );
}
