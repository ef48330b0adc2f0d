import { isRecord } from '@attractor/base';
import type { McpServerDefinition } from '@attractor/mcp';
import type { ControlChannel, Fields } from './channel.ts';

/** One by its name, and how long a call of it may be silent. */
export type HostServer = Pick<McpServerDefinition, 'name' | 'callTimeoutMs'>;

/** As a program writes it: less than a second is as good as nothing. */
export function hostServer(name: string, config: unknown): HostServer {
  const timeout = isRecord(config) ? config['timeout'] : undefined;
  return { name, ...(typeof timeout === 'number' && timeout >= 1_000 ? { callTimeoutMs: timeout } : {}) };
}

/** The MCP servers inside the program at the other end, which it names when it initializes. */
export type HostServers = {
  readonly definition: (server: HostServer) => McpServerDefinition;
  /** What a server of that program sends by itself; false: there is no such server. */
  readonly deliver: (name: string, message: unknown) => boolean;
};

export function createHostServers({ request }: Pick<ControlChannel, 'request'>): HostServers {
  const listening = new Map<string, (message: unknown) => void>();
  const open = (name: string, onMessage: (message: unknown) => void) => {
    listening.set(name, onMessage);
    return {
      send: async (message: unknown): Promise<void> => {
        const answer = await request({ subtype: 'mcp_message', server_name: name, message });
        if (!answer.ok) throw new Error(answer.error.message);
        const reply = answer.value['mcp_response'];
        if (isAnswerTo(message, reply)) onMessage(reply);
      },
      close: () => void listening.delete(name),
    };
  };
  return {
    definition: ({ name, ...limits }) => ({
      name,
      ...limits,
      scope: 'flag',
      transport: { kind: 'host', open: (onMessage) => open(name, onMessage) },
    }),
    deliver: (name, message) => {
      const onMessage = listening.get(name);
      onMessage?.(message);
      return onMessage !== undefined;
    },
  };
}

/** A notification is acknowledged with an empty answer that nobody asked for. */
function isAnswerTo(message: unknown, reply: unknown): reply is Fields {
  return isRecord(message) && message['id'] !== undefined && isRecord(reply);
}
