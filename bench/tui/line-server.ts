import { createServer, type ServerResponse } from 'node:http';
import { startProgram } from '../measuring/program.ts';
import { answerOf, LINE_KINDS, type LineKind } from './lines.ts';

/** A model in a process of its own that says a line an event, so many in a second by the clock, however busy the machine is. */
export type LineServer = { readonly baseUrl: string; readonly stop: () => void };

export type LineServerOptions = {
  readonly lines: number;
  readonly kind: LineKind;
  /** Zero: all at once. */
  readonly perSecond: number;
};

export async function startLineServer({ lines, kind, perSecond }: LineServerOptions): Promise<LineServer> {
  const server = startProgram(import.meta.filename, ['serve', String(lines), kind, String(perSecond)]);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.once('close', () => reject(new Error('the line server ended before it was ready')));
    server.stdout.setEncoding('utf8').once('data', (line: string) => resolve(line.trim()));
  });
  return { baseUrl, stop: () => void server.kill() };
}

const TICK_MS = 5;
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [] };

function serve({ lines, kind, perSecond }: LineServerOptions): void {
  const texts = answerOf(lines, kind);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const usage = { input_tokens: 9, output_tokens: 1 };
    put(response, { type: 'message_start', message: { ...MESSAGE, stop_reason: null, stop_sequence: null, usage } });
    put(response, { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    speak(response, texts, perSecond);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`);
  });
}

function speak(response: ServerResponse, texts: ReadonlyArray<string>, perSecond: number): void {
  const began = performance.now();
  let said = 0;
  const timer = setInterval(() => {
    const due = perSecond === 0 ? texts.length : Math.ceil(((performance.now() - began) * perSecond) / 1_000);
    response.cork();
    for (; said < Math.min(due, texts.length); said += 1)
      put(response, { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: texts[said] } });
    response.uncork();
    if (said < texts.length) return;
    clearInterval(timer);
    put(response, { type: 'content_block_stop', index: 0 });
    const delta = { stop_reason: 'end_turn', stop_sequence: null };
    put(response, { type: 'message_delta', delta, usage: { output_tokens: 9 } });
    put(response, { type: 'message_stop' });
    response.end();
  }, TICK_MS);
  response.once('close', () => clearInterval(timer));
}

function put(response: ServerResponse, event: { readonly type: string; readonly [key: string]: unknown }): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

const [, , mode, lines, kind, perSecond] = process.argv;
const known = LINE_KINDS.find((one) => one === kind);
if (import.meta.main && mode === 'serve' && known !== undefined)
  serve({ lines: Number(lines), kind: known, perSecond: Number(perSecond) });
