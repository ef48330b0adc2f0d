/**
 * Run as a child process: streams one answer from each provider and reports what the process had to load. Arguments: `provider=base URL`…
 */
import { createClient, userMessage } from '@attractor/llm';

const addresses = process.argv.slice(2).map((pair) => pair.split('='));
const providers = Object.fromEntries(
  addresses.map(([id = '', baseUrl = '']) => [id, { apiKey: 'test-key-0001', baseUrl }]),
);
const client = createClient({ configuration: { providers } });
const ends: Record<string, string> = {};
for (const provider of Object.keys(providers)) {
  for await (const event of client.stream({ provider, model: 'any', messages: [userMessage('hi')] }))
    ends[provider] = event.kind;
}
await client.close();
const loaded: unknown = Reflect.get(process, 'moduleLoadList');
const undici = Array.isArray(loaded) && loaded.some((name) => String(name).includes('undici'));
const platform = new Headers({ 'X-One': 'a' });
const isPlatformClass = Object.getPrototypeOf(platform) === Object.getPrototypeOf(new Response().headers);
console.log(JSON.stringify({ ends, undici, isPlatformClass, get: platform.get('x-one') }));
