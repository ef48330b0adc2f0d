import { readFile } from 'node:fs/promises';
import { defined, messageOf } from '@attractor/base';
import type { ImagePart } from './types/content.ts';
import { LlmError } from './types/error.ts';

/** A local image as a part of a message. The bytes decide the type, not the name; rejects with `invalid_request` if they are no image. */
export async function imageFromFile(path: string, detail?: ImagePart['detail']): Promise<ImagePart> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw refuse(`Cannot read the image ${path}: ${messageOf(error)}.`);
  });
  const mediaType = imageType(bytes);
  if (mediaType === undefined)
    throw refuse(`${path} is not an image that models take. Use PNG, JPEG, GIF, WebP or HEIC.`);
  return {
    kind: 'IMAGE',
    source: { data: bytes.toString('base64'), mediaType },
    ...defined({ detail }),
  };
}

/** The positions of each type's magic bytes: `[offset, text]`, all of which must match. */
const MARKS: ReadonlyArray<{ readonly type: string; readonly marks: ReadonlyArray<readonly [number, string]> }> = [
  { type: 'image/png', marks: [[0, '\x89PNG']] },
  { type: 'image/jpeg', marks: [[0, '\xff\xd8\xff']] },
  { type: 'image/gif', marks: [[0, 'GIF8']] },
  {
    type: 'image/webp',
    marks: [
      [0, 'RIFF'],
      [8, 'WEBP'],
    ],
  },
  { type: 'image/heic', marks: [[4, 'ftypheic']] },
  { type: 'image/heif', marks: [[4, 'ftypmif1']] },
];

function imageType(bytes: Buffer): string | undefined {
  const head = bytes.subarray(0, 16).toString('latin1');
  return MARKS.find(({ marks }) => marks.every(([at, text]) => head.startsWith(text, at)))?.type;
}

function refuse(message: string): LlmError {
  return new LlmError({ code: 'invalid_request', message, retryable: false });
}
