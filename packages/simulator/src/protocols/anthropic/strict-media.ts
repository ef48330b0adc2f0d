import { type JsonObject, objectOf, stringOf } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstOf, invalid } from '../refuse.ts';
import { blocksOf } from './content.ts';

const LIMIT = 5 * 1024 * 1024;
const MEDIA_TYPES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** The first bytes of each format, in base64: a wrong label is refused. */
const SIGNATURES: [string, string][] = [
  ['image/png', 'iVBORw0KGgo'],
  ['image/jpeg', '/9j/'],
  ['image/gif', 'R0lGOD'],
  ['image/webp', 'UklGR'],
];

export function checkMedia(messages: JsonObject[]): Failure | undefined {
  return firstOf(messages, (message, index) =>
    firstOf(blocksOf(message['content']), (block, at) => checkBlock(block, `messages.${index}.content.${at}`)),
  );
}

function checkBlock(block: JsonObject, place: string): Failure | undefined {
  if (block['type'] === 'tool_result' && Array.isArray(block['content'])) {
    return firstOf(blocksOf(block['content']), (inner, at) => checkBlock(inner, `${place}.tool_result.content.${at}`));
  }
  return block['type'] === 'image' ? checkImage(objectOf(block['source']), `${place}.image.source`) : undefined;
}

function checkImage(source: JsonObject, place: string): Failure | undefined {
  if (source['type'] === 'url') {
    return /^https?:\/\//.test(stringOf(source['url']))
      ? undefined
      : invalid(`${place}.url.url: Only HTTPS URLs are supported.`);
  }
  if (source['type'] !== 'base64') return source['type'] === 'file' ? undefined : invalid(`${place}: Field required`);
  const type = stringOf(source['media_type']);
  if (!MEDIA_TYPES.has(type)) {
    return invalid(
      `${place}.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    );
  }
  return checkData(stringOf(source['data']), type, `${place}.base64`);
}

function checkData(data: string, type: string, place: string): Failure | undefined {
  if (data === '') return invalid(`${place}.data: image cannot be empty`);
  const digits = data.slice(0, data.length - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0));
  // One foreign character is looked for: to match them all, a regular expression may need more stack than there is.
  if (digits === '' || /[^A-Za-z0-9+/]/.test(digits)) return invalid(`${place}.data: Invalid base64 data`);
  const bytes = Math.floor((digits.length * 3) / 4);
  if (bytes > LIMIT) return invalid(`${place}: image exceeds 5 MB maximum: ${bytes} bytes > ${LIMIT} bytes`);
  const real = SIGNATURES.find(([, start]) => data.startsWith(start))?.[0];
  if (real === undefined) return invalid('Could not process image');
  if (real === type) return undefined;
  return invalid(
    `${place}.media_type: The image was specified using the ${type} media type, but the image appears to be a ${real} image`,
  );
}
