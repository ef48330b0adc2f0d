import { readFileSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '@attractor/base';
import type { ImagePart } from '@attractor/llm';
import { InputProblem } from './input-problem.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};

/** A picture that a person names; throws what is wrong with it. */
export function readImage(file: string): ImagePart {
  const mediaType = MEDIA_TYPES[path.extname(file).toLowerCase()];
  if (mediaType === undefined)
    throw new InputProblem(`--image ${file}: expected one of ${Object.keys(MEDIA_TYPES).join(', ')}.`);
  try {
    return { kind: 'IMAGE', source: { data: readFileSync(file).toString('base64'), mediaType } };
  } catch (error) {
    throw new InputProblem(`--image: ${messageOf(error)}`);
  }
}
