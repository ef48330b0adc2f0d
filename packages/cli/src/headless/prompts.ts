import { createInterface } from 'node:readline';
import { CommandFailure, EXIT } from '../exit.ts';

/** The prompts of a run in order: the one of the command line (or all of stdin), or the user lines of stream-json. */
export async function* readPrompts(input: {
  readonly prompt: string | undefined;
  readonly format: 'text' | 'stream-json';
  /** A function, since merely naming stdin opens it. */
  readonly stdin: () => NodeJS.ReadStream;
}): AsyncGenerator<string> {
  if (input.prompt !== undefined) yield input.prompt;
  if (input.format === 'stream-json') yield* userLines(input.stdin());
  else if (input.prompt === undefined) yield await wholeText(input.stdin());
}

async function wholeText(stdin: NodeJS.ReadStream): Promise<string> {
  if (stdin.isTTY) throw noPrompt();
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') throw noPrompt();
  return text;
}

function noPrompt(): CommandFailure {
  return new CommandFailure('no prompt: pass it as `attractor -p "…"` or on stdin.', EXIT.usage);
}

/** One JSON object a line; lines of other types are passed over. */
async function* userLines(stdin: NodeJS.ReadStream): AsyncGenerator<string> {
  let number = 0;
  for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    number += 1;
    if (line.trim() === '') continue;
    const text = userText(line, number);
    if (text !== null) yield text;
  }
}

function userText(line: string, number: number): string | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new CommandFailure(
      `line ${number} of stdin is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
      EXIT.usage,
    );
  }
  if (!isFields(value) || value['type'] !== 'user') return null;
  const message = value['message'];
  const content = isFields(message) ? message['content'] : undefined;
  const text = typeof content === 'string' ? content : textOfBlocks(content);
  if (text === '')
    throw new CommandFailure(
      `line ${number} of stdin has no text: expected {"type":"user","message":{"role":"user","content":"…"}}.`,
      EXIT.usage,
    );
  return text;
}

function textOfBlocks(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content
    .map((block: unknown) => (isFields(block) && typeof block['text'] === 'string' ? block['text'] : ''))
    .join('');
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
