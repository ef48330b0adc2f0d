/** Run as a child process: streams one answer and reports what the process had to load for it. Arguments: provider, base URL, model. */
import { createClient, userMessage } from '../index.ts';

const [provider = '', baseUrl = '', model = ''] = process.argv.slice(2);
const client = createClient({ configuration: { providers: { [provider]: { apiKey: 'test-key-0001', baseUrl } } } });
const kinds: string[] = [];
for await (const event of client.stream({ model, messages: [userMessage('hi')] })) kinds.push(event.kind);
await client.close();
const loaded: unknown = Reflect.get(process, 'moduleLoadList');
const undici = Array.isArray(loaded) && loaded.some((name) => String(name).includes('undici'));
const platform = new Headers({ 'X-One': 'a' });
const isPlatformClass = platform instanceof new Response().headers.constructor.prototype.constructor;
console.log(JSON.stringify({ last: kinds.at(-1), undici, isPlatformClass, get: platform.get('x-one') }));
