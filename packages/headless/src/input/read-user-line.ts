import { isRecord, messageOf } from '@attractor/base';
import type { ImagePart } from '@attractor/llm';
import { InputProblem } from './input-problem.ts';

export type UserInput = {
  readonly text: string;
  readonly images: ReadonlyArray<ImagePart>;
  /** Said word for word: `/name` and mentions in it are ordinary text. */
  readonly isVerbatim?: boolean;
  /** What its sender calls it. */
  readonly id?: string;
};

type Fields = Readonly<Record<string, unknown>>;

/** A line of stream-json as it arrived; `number` counts from 1. */
export function parseLine(line: string, number: number): Fields {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value)) return value;
  } catch (error) {
    throw wrong(number, `is not valid JSON: ${messageOf(error)}.`);
  }
  throw wrong(number, 'is not a JSON object.');
}

/** The content of a user line: text, images, or both. */
export function userInputOf(line: Fields, number: number): UserInput {
  const message = line['message'];
  const content = isRecord(message) ? message['content'] : undefined;
  const about = {
    ...(line['client_composed'] === true ? { isVerbatim: true } : {}),
    ...(typeof line['uuid'] === 'string' ? { id: line['uuid'] } : {}),
  };
  if (typeof content === 'string' && content.trim() !== '') return { text: content, images: [], ...about };
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  const text = blocks.map((block) => (typeof block['text'] === 'string' ? block['text'] : '')).join('');
  const images = blocks.flatMap((block) => (block['type'] === 'image' ? [imageOf(block['source'], number)] : []));
  if (text.trim() === '' && images.length === 0)
    throw wrong(number, 'has no text: expected {"type":"user","message":{"role":"user","content":"…"}}.');
  return { text, images, ...about };
}

function imageOf(source: unknown, number: number): ImagePart {
  const { type, data, media_type: mediaType, url } = isRecord(source) ? source : {};
  if (type === 'url' && typeof url === 'string') return { kind: 'IMAGE', source: { url } };
  if (type === 'base64' && typeof data === 'string' && typeof mediaType === 'string')
    return { kind: 'IMAGE', source: { data, mediaType } };
  throw wrong(
    number,
    'has an image without a source: expected {"type":"base64","media_type":"image/png","data":"…"} or {"type":"url","url":"…"}.',
  );
}

function wrong(number: number, what: string): InputProblem {
  return new InputProblem(`line ${number} of stdin ${what}`);
}
