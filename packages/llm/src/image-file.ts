import { readFile } from 'node:fs/promises';
import { defined, messageOf } from '@attractor/base';
import type { ImagePart } from './types/content.ts';
import { imageType } from './types/image-type.ts';
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

function refuse(message: string): LlmError {
  return new LlmError({ code: 'invalid_request', message, retryable: false });
}
