import { expect, it } from 'vitest';
import { createClient } from './client.ts';
import { startServer } from './test-support/local-server.ts';
import { searchWeb } from './web-search.ts';

const sse = (events: ReadonlyArray<object>): string =>
  events
    .map((event) => `event: ${'type' in event ? String(event.type) : 'message'}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');

const PAGE = { url: 'https://a.test/x', title: 'About X' };

/** As the services answered a search, shortened. */
const RECORDED = {
  anthropic: sse([
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [],
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"query":"x"}' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: {
        type: 'web_search_tool_result',
        tool_use_id: 'srvtoolu_1',
        content: [{ type: 'web_search_result', ...PAGE, encrypted_content: 'e', page_age: null }],
      },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Found.' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ]),
  openai: sse([
    { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'gpt-5' } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'web_search_call', id: 'ws_1', status: 'in_progress' },
    },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
    },
    { type: 'response.output_item.added', output_index: 1, item: { type: 'message', id: 'msg_1' } },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, content_index: 0, delta: 'Found.' },
    {
      type: 'response.output_text.annotation.added',
      item_id: 'msg_1',
      output_index: 1,
      content_index: 0,
      annotation_index: 0,
      annotation: { type: 'url_citation', ...PAGE, start_index: 0, end_index: 5 },
    },
    { type: 'response.output_item.done', output_index: 1, item: { type: 'message', id: 'msg_1' } },
    { type: 'response.completed', response: { usage: { input_tokens: 9, output_tokens: 5 } } },
  ]),
  gemini: `data: ${JSON.stringify({
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'Found.' }] },
        finishReason: 'STOP',
        groundingMetadata: {
          webSearchQueries: ['x'],
          groundingChunks: [{ web: { uri: 'https://host.test/grounding-api-redirect/abc', title: 'a.test' } }],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 5, totalTokenCount: 14 },
  })}\n\n`,
};

it.each([
  ['anthropic', /"type":"web_search_20250305".*"allowed_domains":\["a.test"\]/, PAGE],
  ['openai', /"type":"web_search".*"allowed_domains":\["a.test"\]/, PAGE],
  ['gemini', /"googleSearch":\{/, { url: expect.stringContaining('redirect/abc'), title: 'a.test', site: 'a.test' }],
] as const)('%s searches with its own tool, and the pages that it names are found', async (provider, asked, page) => {
  const bodies: string[] = [];
  const server = await startServer((_request, response, body) => {
    bodies.push(body);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(RECORDED[provider]);
  });
  const client = createClient({ configuration: { providers: { [provider]: { apiKey: 'k', baseUrl: server.url } } } });
  const wish = { provider, model: provider === 'gemini' ? 'gemini-2.5-pro' : 'any', query: 'what is x?' };
  expect(await searchWeb(client, { ...wish, allowedDomains: ['a.test'] })).toEqual([page]);
  await client.close();
  await server.close();
  expect(bodies[0]).toMatch(asked);
  expect(bodies[0]).toContain('what is x?');
});

it('a service without such a tool refuses before anything is sent', async () => {
  const client = createClient({ configuration: { providers: { ollama: { baseUrl: 'http://127.0.0.1:9' } } } });
  const wish = { provider: 'ollama', model: 'any', query: 'x?' };
  await expect(searchWeb(client, wish)).rejects.toThrow('ollama has no web search of its own');
  await client.close();
});
