import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord } from '@attractor/base';
import { isAnnotations, soundContent, soundResource } from './sound-content.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Tells what of an answer was left out, and why. */
type Tell = (text: string) => void;

/**
 * A transport whose answers the client library understands. It takes or refuses an answer as a whole: one tool without a schema would cost
 * all the others, one unknown part of a result the result. What can't be understood is left out here, and only that. An answer whose
 * connection ends in the middle is an error at once; nobody waits for the rest.
 */
export function withSoundAnswers<Kind extends Transport>(transport: Kind, tell: Tell): Kind {
  const asked = new Map<unknown, string>();
  const send = transport.send.bind(transport);
  const changed = createOncePer(CHANGES_MS);
  let hear: Transport['onmessage'];
  Object.defineProperty(transport, 'onmessage', {
    get: () => hear,
    set: (listener: Transport['onmessage']) => {
      hear =
        listener &&
        ((message, extra) => {
          const pass = (): void => listener(soundMessage(ownAnswer(message, asked), asked, tell), extra);
          if ('method' in message && message.method.endsWith('/list_changed')) changed(message.method, pass);
          else pass();
        });
    },
  });
  transport.send = async (message, options) => {
    if (!('method' in message) || !('id' in message)) return send(message, options);
    const { id, method } = message;
    asked.set(id, method);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      if (asked.has(id))
        hear?.({ jsonrpc: '2.0', id, error: { code: CUT, message: 'Its answer ended in the middle' } });
    };
    return send(message, { ...options, onRequestStreamEnd });
  };
  return transport;
}

/** Each asks for a list anew: a server that sends them without end must not hold up its answers. */
const CHANGES_MS = 50;

/** Works at once, and for all that come within the time once more at its end. */
function createOncePer(ms: number): (name: string, work: () => void) => void {
  const waiting = new Map<string, (() => void) | null>();
  return (name, work) => {
    if (waiting.has(name)) return void waiting.set(name, work);
    waiting.set(name, null);
    work();
    const timer = setTimeout(() => {
      const late = waiting.get(name);
      waiting.delete(name);
      late?.();
    }, ms);
    timer.unref();
  };
}

/** From the numbers that JSON-RPC leaves to who implements it. */
const CUT = -32_099;

/** A server that answers its first request under another id would be waited for until the start's deadline. */
function ownAnswer(message: JSONRPCMessage, asked: ReadonlyMap<unknown, string>): JSONRPCMessage {
  if (!('id' in message) || 'method' in message || asked.size !== 1) return message;
  const [[id, method] = []] = asked;
  if (method !== 'initialize' || message.id === id || Number(message.id) === id) return message;
  const said = `it answered initialize under the id ${JSON.stringify(message.id)}, not ${JSON.stringify(id)}`;
  return { jsonrpc: '2.0', id: Number(id), error: { code: CUT, message: said } };
}

function soundMessage(message: JSONRPCMessage, asked: Map<unknown, string>, tell: Tell): JSONRPCMessage {
  if (!('id' in message) || 'method' in message) return message;
  const method = asked.get(message.id) ?? asked.get(Number(message.id));
  asked.delete(message.id);
  if (method === undefined || !('result' in message)) return message;
  const sound = RESULTS[method];
  return sound === undefined ? message : { ...message, result: { ...message.result, ...sound(message.result, tell) } };
}

const RESULTS: Readonly<Record<string, (result: Fields, tell: Tell) => Fields>> = {
  'tools/list': (result, tell) => listed(result, 'tools', (tool) => soundTool(tool, tell)),
  'prompts/list': (result, tell) => listed(result, 'prompts', (prompt) => soundPrompt(prompt, tell)),
  'resources/list': (result) => listed(result, 'resources', (one) => addressed(one, 'uri')),
  'resources/templates/list': (result) => listed(result, 'resourceTemplates', (one) => addressed(one, 'uriTemplate')),
  'tools/call': (result) => (Array.isArray(result['content']) ? { content: result['content'].map(soundContent) } : {}),
  'resources/read': (result) => listed(result, 'contents', soundResource),
};

/** A list of another type stays: it is refused as a whole. */
function listed(result: Fields, name: string, sound: (item: unknown) => object | null): Fields {
  const list = result[name];
  return Array.isArray(list) ? { [name]: list.flatMap((item: unknown) => sound(item) ?? []) } : {};
}

function soundTool(tool: unknown, tell: Tell): Fields | null {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') {
    tell('a tool without a name is left out');
    return null;
  }
  const { inputSchema: schema, name } = tool;
  const type = isRecord(schema) ? (schema['type'] ?? 'object') : null;
  if (type === 'object' && isRecord(schema)) return { ...known(tool), name, inputSchema: { ...schema, type } };
  tell(`its tool ${name.slice(0, 80)} says of its arguments what is no schema of an object: any are passed on`);
  return { ...known(tool), name, inputSchema: { type: 'object' } };
}

function soundPrompt(prompt: unknown, tell: Tell): Fields | null {
  if (!isRecord(prompt) || typeof prompt['name'] !== 'string') {
    tell('a prompt without a name is left out');
    return null;
  }
  const { arguments: wanted, name } = prompt;
  const args = Array.isArray(wanted) ? wanted.filter((one) => isRecord(one) && typeof one['name'] === 'string') : [];
  return { ...known(prompt), name, arguments: args.map((one) => ({ ...known(one), name: one['name'] })) };
}

function addressed(item: unknown, address: 'uri' | 'uriTemplate'): Fields | null {
  if (!isRecord(item) || typeof item[address] !== 'string') return null;
  return { ...known(item), [address]: item[address], name: typeof item['name'] === 'string' ? item['name'] : '' };
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean => isRecord(value) && value['type'] === 'object';

/** Further published fields, and what they must be; one that is not is left out, and what nobody knows stays. */
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isText,
  description: isText,
  mimeType: isText,
  required: (value) => typeof value === 'boolean',
  outputSchema: isObject,
  execution: isRecord,
  annotations: isAnnotations,
  icons: Array.isArray,
  size: (value) => typeof value === 'number',
  _meta: isRecord,
};

function known(item: Fields): Fields {
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => FIELDS[name]?.(value) !== false));
}
