import type { IncomingMessage } from 'node:http';
import { exchangeFromArguments, measureExchange } from './exchange.ts';

/** The floor: node:http, reading nothing of the answer but its text. An ESM import of node:http would also load undici. */
const { Agent, request } = process.getBuiltinModule('node:http');

const exchange = exchangeFromArguments();
const agent = new Agent({ keepAlive: true });
await measureExchange(exchange, ask);
agent.destroy();

async function ask(): Promise<string> {
  const body = JSON.stringify({
    model: 'claude-sonnet-4-5-20250929',
    max_tokens: 4096,
    stream: true,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Tell me a long story.' }] }],
  });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-api-key': 'sk-bench',
    'anthropic-version': '2023-06-01',
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${exchange.baseUrl}/v1/messages`, { method: 'POST', agent, headers }, (response) => {
      readText(response).then(resolve, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  response.setEncoding('utf8');
  let text = '';
  let rest = '';
  for await (const chunk of response) {
    const events = `${rest}${String(chunk)}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) text += deltaOf(event);
  }
  return text;
}

function deltaOf(event: string): string {
  const data: unknown = JSON.parse(event.slice(event.indexOf('data: ') + 6));
  const { delta } = Object(data);
  return delta?.type === 'text_delta' ? String(delta.text) : '';
}
