import fc from 'fast-check';
import type { ContentPart } from '../types/content.ts';
import type { Message } from '../types/message.ts';

/** A picture of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const TEXTS = [
  'plain',
  ' spaced ',
  'line\nbreak\n',
  'smile 😀',
  'half \ud83d pair',
  '\udc00start',
  '"quoted"',
  '\u0000nul',
  '汉字',
];
const BLANKS = ['', ' ', '\n\t '];
const IDS = ['call_1', 'call_2', 'toolu_a', '', 'has space', 'x'.repeat(80), 'ünï', 'a.b:c'];
const NAMES = ['read_file', 'file.read', 'mcp__srv__tool', '9lives', '', 'x'.repeat(90), 'näme'];

/**
 * Histories as crashes, model switches, foreign imports and bugs leave them: any role may hold any part, ids repeat or are missing, results
 * have no call and calls no result. `own` are parts that the receiving model really signed. Each text carries its own number, so that a
 * test can see what arrived.
 */
export function brokenHistories(own: ReadonlyArray<ContentPart>): fc.Arbitrary<ReadonlyArray<Message>> {
  const message = fc.record({
    role: fc.constantFrom<Message['role']>('system', 'developer', 'user', 'assistant', 'tool'),
    content: fc.array(anyPart(own), { maxLength: 4 }),
  });
  return fc.array(message, { minLength: 0, maxLength: 9 }).map(numbered);
}

function anyPart(own: ReadonlyArray<ContentPart>): fc.Arbitrary<ContentPart> {
  const id = fc.constantFrom(...IDS);
  const text = fc.constantFrom(...TEXTS, ...BLANKS);
  const image = fc.constantFrom<ContentPart>(
    { kind: 'IMAGE', source: { data: PIXEL, mediaType: 'image/png' } },
    { kind: 'IMAGE', source: { data: PIXEL } },
    { kind: 'IMAGE', source: { data: 'Qk0=', mediaType: 'image/bmp' } },
    { kind: 'IMAGE', source: { url: 'https://pictures.test/a.png' } },
  );
  const foreign = fc.constantFrom<ContentPart>(
    { kind: 'THINKING', text: 'unsigned thoughts' },
    { kind: 'THINKING', text: 'foreign thoughts', signature: 'Zm9yZ2Vk', origin: 'other/model' },
    { kind: 'REDACTED_THINKING', data: 'Zm9yZ2Vk', origin: 'other/model' },
  );
  const call = fc.record({
    toolCallId: id,
    toolName: fc.constantFrom(...NAMES),
    args: fc.dictionary(fc.constantFrom('a', 'half\ud83d'), text, { maxKeys: 2 }),
  });
  const result = fc.record({ toolCallId: id, output: text, isError: fc.boolean(), withImage: fc.boolean() });
  return fc.oneof(
    { weight: 4, arbitrary: text.map((value): ContentPart => ({ kind: 'TEXT', text: value })) },
    { weight: 4, arbitrary: call.map((value): ContentPart => ({ kind: 'TOOL_CALL', ...value })) },
    { weight: 4, arbitrary: result.map(asResult) },
    { weight: 1, arbitrary: image },
    { weight: 1, arbitrary: foreign },
    ...(own.length === 0 ? [] : [{ weight: 2, arbitrary: fc.constantFrom(...own) }]),
  );
}

function asResult({
  withImage,
  ...result
}: {
  toolCallId: string;
  output: string;
  isError: boolean;
  withImage: boolean;
}): ContentPart {
  return {
    kind: 'TOOL_RESULT',
    ...result,
    ...(withImage ? { images: [{ kind: 'IMAGE' as const, source: { data: PIXEL } }] } : {}),
  };
}

/** Marks every text and output that is not blank. */
function numbered(messages: ReadonlyArray<Message>): ReadonlyArray<Message> {
  let count = 0;
  const mark = (text: string): string => {
    count += 1;
    return text.trim() === '' ? text : `<m${count}>${text}`;
  };
  return messages.map(({ role, content }) => ({
    role,
    content: content.map((part) => {
      if (part.kind === 'TEXT') return { ...part, text: mark(part.text) };
      return part.kind === 'TOOL_RESULT' ? { ...part, output: mark(part.output) } : part;
    }),
  }));
}

/** The marks that must arrive: of every text and every output. */
export function marksIn(messages: ReadonlyArray<Message>): ReadonlyArray<string> {
  return messages.flatMap(({ content }) =>
    content.flatMap((part) => {
      const text = part.kind === 'TEXT' ? part.text : part.kind === 'TOOL_RESULT' ? part.output : '';
      return text.match(/<m\d+>/g) ?? [];
    }),
  );
}
