import { isRecord } from '@attractor/base';
import { type ForeignReading, lineOf } from './reading.ts';

/** What codex calls a field of a service, and its name here. */
const FIELDS: Readonly<Record<string, string>> = {
  base_url: 'baseUrl',
  env_key: 'apiKeyVariable',
  experimental_bearer_token: 'authToken',
  http_headers: 'headers',
  env_http_headers: 'headerVariables',
  query_params: 'query',
};

const TABLES: ReadonlySet<string> = new Set(['http_headers', 'env_http_headers', 'query_params']);

const PROTOCOLS: Readonly<Record<string, string>> = { chat: 'openai-chat', responses: 'openai' };

const REASONS: Readonly<Record<string, string>> = {
  name: 'it only says how the service is shown',
  env_key_instructions: 'a missing key is told with the name of its variable',
  requires_openai_auth: 'there is no login of ChatGPT here: set a key',
  auth: 'no command is run for it: use `apiKeyHelper` in config.json',
  aws: 'use the provider bedrock',
  supports_websockets: 'answers come by HTTP',
  websocket_connect_timeout_ms: 'answers come by HTTP',
};

/** `[model_providers.x]`: services that speak like OpenAI. A person's own file names them; the table of settings refuses a repository's. */
export function readProviders(reading: ForeignReading, value: unknown, { text }: { readonly text: string }): void {
  if (!isRecord(value)) return reading.leave('model_providers', null, 'it must be a table');
  for (const [id, given] of Object.entries(value)) {
    const line = lineOf(text, new RegExp(`^[ \\t]*\\[?model_providers\\.["']?${RegExp.escape(id)}`, 'm'));
    if (!isRecord(given)) reading.leave(`model_providers.${id}`, line, 'it must be a table');
    else readProvider(reading, { id, line, given });
  }
}

type Given = { readonly id: string; readonly line: number | null; readonly given: Readonly<Record<string, unknown>> };

function readProvider(reading: ForeignReading, { id, line, given }: Given): void {
  const { wire_api: api, ...fields } = given;
  const protocol = typeof api === 'string' && Object.hasOwn(PROTOCOLS, api) ? PROTOCOLS[api] : undefined;
  if (api !== undefined && protocol === undefined)
    reading.leave(`model_providers.${id}.wire_api`, line, 'it must be chat or responses');
  else if (protocol !== undefined) reading.entry('providers', protocol, { line, key: `${id}.protocol` });
  for (const [key, value] of Object.entries(fields)) {
    const name = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
    const where = `model_providers.${id}.${key}`;
    if (name === undefined)
      reading.leave(where, line, REASONS[key] ?? 'how often and how long is tried is decided here');
    else if (TABLES.has(key) ? !isTexts(value) : typeof value !== 'string')
      reading.leave(where, line, TABLES.has(key) ? 'it must be a table of texts' : 'it must be a text');
    else reading.entry('providers', value, { line, key: `${id}.${name}` });
  }
}

function isTexts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}
