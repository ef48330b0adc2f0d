import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { until } from '@attractor/base/testing';
import { expect, it } from 'vitest';
import { withSoundAnswers } from './sound-answers.ts';

function listened(): { readonly transport: Transport; readonly heard: JSONRPCMessage[] } {
  const bare: Transport = { start: async () => undefined, send: async () => undefined, close: async () => undefined };
  const transport = withSoundAnswers(bare, () => undefined);
  const heard: JSONRPCMessage[] = [];
  Object.assign(transport, { onmessage: (message: JSONRPCMessage) => void heard.push(message) });
  return { transport, heard };
}

it('a storm of changed lists is heard at its beginning and at its end, and holds up nothing else', async () => {
  const { transport, heard } = listened();
  const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;
  for (let sent = 0; sent < 1_000; sent += 1) transport.onmessage?.(changed);
  const answer = { jsonrpc: '2.0', id: 1, result: {} } as const;
  transport.onmessage?.(answer);
  expect(heard).toEqual([changed, answer]);
  await until(() => heard.length === 3);
  expect(heard.at(-1)).toEqual(changed);
});

it('an answer whose stream ends is an error for who asked, once; whole answers stay as they are', async () => {
  const heard: JSONRPCMessage[] = [];
  let end = (): void => undefined;
  const bare: Transport = {
    start: async () => undefined,
    send: async (_message, options) => void (end = options?.onRequestStreamEnd ?? end),
    close: async () => undefined,
  };
  const cut = withSoundAnswers(bare, () => undefined);
  Object.assign(cut, { onmessage: (message: JSONRPCMessage) => void heard.push(message) });
  await cut.send({ jsonrpc: '2.0', id: 7, method: 'tools/call' });
  end();
  end();
  expect(heard).toMatchObject([{ id: 7, error: { message: 'Its answer ended in the middle' } }]);
});

it('what is as published stays as it is, with all that nobody knows', async () => {
  const { transport, heard } = listened();
  const answered = async (method: string, result: Readonly<Record<string, unknown>>): Promise<unknown> => {
    await transport.send({ jsonrpc: '2.0', id: method, method });
    transport.onmessage?.({ jsonrpc: '2.0', id: method, result });
    return heard.at(-1);
  };
  const annotations = { audience: ['user'], priority: 1 };
  const content = [
    { type: 'text', text: 'a', annotations, _meta: { a: 1 } },
    { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations },
    { type: 'resource', resource: { uri: 'a://b', blob: 'AAAA', _meta: {} } },
    { type: 'resource_link', uri: 'a://b', name: 'n', description: 'd', size: 5 },
  ];
  const call = { content, structuredContent: { b: 2 }, isError: false, _meta: {} };
  expect(await answered('tools/call', call)).toMatchObject({ result: call });
  const inputSchema = { type: 'object', properties: {}, additionalProperties: false };
  const tool = { name: 't', title: 'T', inputSchema, outputSchema: inputSchema, icons: [], other: 1 };
  const tools = [{ ...tool, annotations: { readOnlyHint: true, title: 'T' } }];
  expect(await answered('tools/list', { tools, nextCursor: 'x' })).toEqual({
    jsonrpc: '2.0',
    id: 'tools/list',
    result: { tools, nextCursor: 'x' },
  });
  expect(await answered('tools/list', { tools: [{ ...tool, annotations: { readOnlyHint: 'yes' } }] })).toMatchObject({
    result: { tools: [tool] },
  });
});
