import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable';
import type { SessionInput } from '@attractor/agent';
import { RpcError } from '@attractor/rpc';

type ImagePart = Exclude<Exclude<SessionInput, string>[number], { readonly kind: 'TEXT' }>;

/**
 * A person's input. Text and mentions stay in their order, so that `/name` of a command is still the first thing; the text of what they
 * attached follows, each with its address.
 */
export function inputOf(blocks: ReadonlyArray<ContentBlock>, folder: string): SessionInput {
  const said = blocks.map((block) => spokenOf(block, folder)).join('');
  const attached = blocks.map(attachedOf).filter((text) => text !== '');
  const images = blocks.flatMap(imagesOf);
  const text = [said, ...attached].filter((part) => part !== '').join('\n\n');
  if (text === '' && images.length === 0) throw new RpcError(-32602, 'The prompt is empty.');
  if (images.length === 0) return text;
  return [...(text === '' ? [] : [{ kind: 'TEXT', text } as const]), ...images];
}

function spokenOf(block: ContentBlock, folder: string): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return mention(block.uri, block.name, folder);
  if (block.type === 'resource') return mention(block.resource.uri, block.resource.uri, folder);
  if (block.type === 'audio') throw new RpcError(-32602, 'Sound is not understood here: send text or images.');
  return '';
}

function mention(uri: string, name: string, folder: string): string {
  if (!uri.startsWith('file:')) return `[${name}](${uri})`;
  try {
    const [, lines = ''] = /#(L[\d:L-]+)$/.exec(uri) ?? [];
    const file = path.relative(folder, fileURLToPath(uri));
    return `@${file}${lines === '' ? '' : ` (${lines})`}`;
  } catch {
    return `[${name}](${uri})`;
  }
}

function attachedOf(block: ContentBlock): string {
  if (block.type !== 'resource' || !('text' in block.resource)) return '';
  const { uri, text } = block.resource;
  return `<context ref="${uri}">\n${text}\n</context>`;
}

function imagesOf(block: ContentBlock): ReadonlyArray<ImagePart> {
  if (block.type === 'image') return [imageOf(block.data, block.mimeType)];
  if (block.type !== 'resource' || !('blob' in block.resource)) return [];
  const { blob, mimeType } = block.resource;
  return mimeType?.startsWith('image/') === true ? [imageOf(blob, mimeType)] : [];
}

function imageOf(data: string, mediaType: string): ImagePart {
  return { kind: 'IMAGE', source: { data, mediaType } };
}
