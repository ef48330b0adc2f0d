import { defined, isRecord } from '@attractor/base';
import type { McpElicit } from '@attractor/mcp';
import type { ControlChannel } from './channel.ts';

/** A server's question, put to the program at the other end. Without an answer it is declined. */
export function elicitByControl(channel: Pick<ControlChannel, 'request'>): McpElicit {
  return async (asked) => {
    const about = asked.mode === 'url' ? { url: asked.url } : { requested_schema: asked.requestedSchema };
    const request = { subtype: 'elicitation', mcp_server_name: asked.server, message: asked.message, mode: asked.mode };
    const answer = await channel.request({ ...request, ...about }, asked.signal);
    const { action, content } = answer.ok ? answer.value : {};
    if (action === 'accept') return { action, ...defined({ content: contentOf(content) }) };
    return { action: action === 'cancel' ? 'cancel' : 'decline' };
  };
}

type Content = Readonly<Record<string, string | number | boolean | string[]>>;

function contentOf(value: unknown): Content | undefined {
  if (!isRecord(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, Content[string]] => isPlain(entry[1])),
  );
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}
