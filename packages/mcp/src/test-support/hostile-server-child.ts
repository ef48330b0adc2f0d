import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * A server that misbehaves in the way its first argument names. The second is a file to which it writes its own id, those of its children,
 * and what it is told; the third, for some, how often.
 */
const [behaviour = '', log = '', text = ''] = process.argv.slice(2);

const note = (line: string): void => appendFileSync(log, `${line}\n`);
const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

type Message = {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly name?: string; readonly cursor?: string };
};

let toolCount = 1;

const CALLS: Readonly<Record<string, (id: number) => void>> = {
  dies: () => process.exit(7),
  hangs: () => undefined,
  huge: (id) => send({ id, result: { content: [{ type: 'text', text: 'x'.repeat(Number(text)) }] } }),
  flood: () => {
    const chunk = 'x'.repeat(1 << 20);
    const pour = (): void =>
      void (process.stdout.write(chunk) ? setImmediate(pour) : process.stdout.once('drain', pour));
    pour();
  },
  babbles: (id) => {
    process.stdout.write('a greeting\n{"broken": \n\n[1,2\n{"jsonrpc":"1.0"}\nnull\n');
    send({ id, result: { content: [{ type: 'text', text: 'after all' }] } });
  },
  mumbles: (id) => {
    process.stdout.write('50 % done');
    send({ id, result: { content: [{ type: 'text', text: 'all done' }] } });
  },
  odd: (id) => {
    const image = { type: 'image', data: '!', mimeType: 'image/png' };
    const parts = [{ type: 'text', text: 'fine' }, { type: 'text' }, { type: 'hologram' }, image, null];
    send({ id, result: { content: parts, isError: false } });
  },
  errs: (id) => send({ id, error: { code: -32_042, message: 'no such thing' } }),
  nonsense: (id) => send({ id, result: { content: 'not a list' } }),
  grows: (id) => {
    toolCount = 2;
    send({ method: 'notifications/tools/list_changed' });
    send({ id, result: { content: [] } });
  },
  // The client identifies the progress of a request by the request's own number.
  hurries: (id) => {
    const progress = {
      method: 'notifications/progress',
      params: { progressToken: id, progress: 1, message: 'nearly' },
    };
    const both = [progress, { id, result: { content: [] } }];
    process.stdout.write(both.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join(''));
  },
  variables: (id) => send({ id, result: { content: [{ type: 'text', text: JSON.stringify(process.env) }] } }),
};

const ODD_TOOLS = [
  { name: 'good', inputSchema: { type: 'object' }, description: null, outputSchema: 'none' },
  { inputSchema: { type: 'object' } },
  { name: 'bare' },
  { name: 'list', inputSchema: { type: 'array' } },
  { name: 'either', inputSchema: { anyOf: [{ type: 'object' }] } },
];

function listed(cursor: string | undefined): object {
  if (behaviour === 'odd') return { tools: ODD_TOOLS };
  const at = Number(cursor ?? '1');
  const schema = { type: 'object', properties: { p: { type: 'string', pattern: '(' }, r: { $ref: '#/$defs/none' } } };
  const tool = { name: `tool${at}`, inputSchema: schema, annotations: { readOnlyHint: true } };
  return { tools: [tool], ...(at < toolCount ? { nextCursor: String(at + 1) } : {}) };
}

function answer({ id, method, params }: Message): void {
  if (method === 'notifications/cancelled') note('cancelled');
  if (id === undefined) return;
  if (method === 'initialize' && behaviour === 'junk') send({ id, result: 'ok' });
  else if (method === 'initialize')
    send({
      id,
      result: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: behaviour, version: '1' },
      },
    });
  else if (method === 'tools/list') send({ id, result: listed(params?.cursor) });
  else if (method === 'tools/call') (CALLS[behaviour] ?? CALLS['variables'])?.(id);
  else send({ id, error: { code: -32_601, message: 'unknown' } });
}

note(`pid ${process.pid}`);
if (behaviour === 'crashes') {
  process.stderr.write('the reason why\n');
  process.exit(1);
}
if (behaviour === 'stubborn') {
  process.on('SIGTERM', () => undefined);
  const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
  note(`pid ${child.pid}`);
  setInterval(() => undefined, 1_000);
}
if (behaviour === 'mute') setInterval(() => undefined, 1_000);
else createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
