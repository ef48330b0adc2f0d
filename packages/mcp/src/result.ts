import type { CallToolResult, ContentBlock, ReadResourceResult } from '@modelcontextprotocol/client';
import type { ImagePart } from '@attractor/llm';
import { truncateChars } from '@attractor/system';
import type { McpToolResult } from './tool.ts';

/** Four characters count as a token. */
const CHARS_PER_TOKEN = 4;
const WARN_TOKENS = 10_000;
const MAX_TOKENS = 25_000;
const MAX_IMAGES = 20;
/** The limit of models for one image, in base64. */
const MAX_IMAGE_CHARS = 7 << 20;

/** A server's answer as the model gets it: its text up to the cap, its images as images, and a note on everything else. */
export function toolResultOf(
  { content, structuredContent, isError }: CallToolResult,
  maxTokens = MAX_TOKENS,
): McpToolResult {
  const parts = content.map(partOf);
  const said = parts.map(({ text }) => text).filter((text) => text !== '');
  const text =
    said.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : said.join('\n');
  return shown(text === '' && !hasImage(parts) ? '(no output)' : text, { parts, isError: isError === true, maxTokens });
}

/** The same for a resource. */
export function resourceResultOf({ contents }: ReadResourceResult, maxTokens = MAX_TOKENS): McpToolResult {
  const parts = contents.map(ofResource);
  return shown(parts.map(({ text }) => text).join('\n'), { parts, isError: false, maxTokens });
}

/** Text and images of one part of a prompt. */
export function partOf(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return { text: block.text };
    case 'image':
      return ofImage(block.data, block.mimeType);
    case 'audio':
      return { text: `[audio, ${block.mimeType}: not shown]` };
    case 'resource':
      return ofResource(block.resource);
    case 'resource_link':
      return { text: `[resource ${block.name}: ${block.uri}${block.description ? `, ${block.description}` : ''}]` };
    default:
      return { text: '[content of an unknown kind: not shown]' };
  }
}

export type Part = { readonly text: string; readonly image?: ImagePart };

type Shown = { readonly parts: ReadonlyArray<Part>; readonly isError: boolean; readonly maxTokens: number };

function shown(text: string, { parts, isError, maxTokens }: Shown): McpToolResult {
  const images = parts.flatMap(({ image }) => image ?? []).slice(0, MAX_IMAGES);
  return { output: capped(text, maxTokens), isError, ...(images.length === 0 ? {} : { images }) };
}

function capped(text: string, maxTokens: number): string {
  const tokens = Math.ceil(text.length / CHARS_PER_TOKEN);
  if (tokens > maxTokens)
    return `[This answer has about ${tokens} tokens; ${maxTokens} of them are shown. Ask the tool for less.]\n${truncateChars(text, maxTokens * CHARS_PER_TOKEN, 'head_tail')}`;
  if (tokens > Math.min(WARN_TOKENS, maxTokens))
    return `${text}\n[A large answer: about ${tokens} tokens. Where the tool allows it, ask for less next time.]`;
  return text;
}

function ofImage(data: string, mediaType: string): Part {
  if (data.length > MAX_IMAGE_CHARS) return { text: `[image, ${mediaType}: too large to be shown]` };
  return { text: '', image: { kind: 'IMAGE', source: { data, mediaType } } };
}

function ofResource(resource: ReadResourceResult['contents'][number]): Part {
  if ('text' in resource) return { text: `[resource ${resource.uri}]\n${resource.text}` };
  const { mimeType = 'application/octet-stream', uri, blob } = resource;
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mimeType)) return { text: `[resource ${uri}: ${mimeType}, not shown]` };
  const image = ofImage(blob, mimeType);
  return { ...image, text: `[resource ${uri}]${image.text}` };
}

function hasImage(parts: ReadonlyArray<Part>): boolean {
  return parts.some(({ image }) => image !== undefined);
}
