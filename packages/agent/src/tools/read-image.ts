import type { ImagePart } from '@attractor/llm';
import type { ExecutionEnvironment, OperationOptions, ToolResult } from '../types/index.ts';

/** The limit of some providers: they refuse a larger image. */
const MAX_IMAGE_BYTES = 5_000_000;

const NAMED_LIKE_AN_IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** First bytes, as Latin-1, and the type they indicate. A file name proves nothing. */
const SIGNATURES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
];

export function isNamedLikeAnImage(file: string): boolean {
  return NAMED_LIKE_AN_IMAGE.test(file);
}

/** The file as an image; null if it is none and should be read as text. */
export async function readImage(
  env: ExecutionEnvironment,
  file: string,
  options: OperationOptions,
): Promise<ToolResult | null> {
  if (!isNamedLikeAnImage(file)) return null;
  const bytes = await env.readBytes(file, options);
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === undefined) return null;
  if (bytes.length > MAX_IMAGE_BYTES) {
    const output = `${file} is an image of ${bytes.length} bytes; at most ${MAX_IMAGE_BYTES} can be shown. Make a smaller copy and read that.`;
    return { output, isError: true };
  }
  const image = imagePart(bytes, mediaType);
  return { output: `${file}: ${mediaType}, ${bytes.length} bytes, shown below.`, isError: false, images: [image] };
}

/** These bytes as an image; null if they are none, or more than providers take. */
export function imageIn(bytes: Uint8Array): ImagePart | null {
  const mediaType = mediaTypeOf(bytes);
  return mediaType === undefined || bytes.length > MAX_IMAGE_BYTES ? null : imagePart(bytes, mediaType);
}

function mediaTypeOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return SIGNATURES.find(([start]) => start.test(head))?.[1];
}

function imagePart(bytes: Uint8Array, mediaType: string): ImagePart {
  return { kind: 'IMAGE', source: { data: Buffer.from(bytes).toString('base64'), mediaType } };
}
