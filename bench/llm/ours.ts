import { createClient } from '@attractor/llm';
import { exchangeFromArguments, measureExchange } from './exchange.ts';

const exchange = exchangeFromArguments();
const client = createClient({
  configuration: { providers: { anthropic: { apiKey: 'sk-bench', baseUrl: exchange.baseUrl } } },
});
await measureExchange(exchange, ask);
await client.close();

async function ask(): Promise<string> {
  const question = { kind: 'TEXT', text: 'Tell me a long story.' } as const;
  const request = {
    model: 'claude-sonnet-4-5-20250929',
    maxTokens: 4096,
    messages: [{ role: 'user', content: [question] }],
  } as const;
  let text = '';
  for await (const event of client.stream(request)) {
    if (event.kind === 'TEXT_DELTA') text += event.text;
    if (event.kind === 'ERROR') throw event.error;
  }
  return text;
}
