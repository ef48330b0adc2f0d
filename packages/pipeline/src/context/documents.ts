import { fenced } from './fence.ts';
import type { Artifact, Attachment } from '@attractor/store';
import type { ContextItem } from './fit-budget.ts';
import { oneLine } from './describe-task.ts';

export type TextAttachment = { readonly attachment: Attachment; readonly content: string };

/** All artifacts of the task, one line each. */
export function listArtifactLines(artifacts: ReadonlyArray<Artifact>): ReadonlyArray<ContextItem> {
  if (artifacts.length === 0) return [];
  const lines = artifacts.map(({ type, label, url, filePath }) => {
    const places = [url, filePath].filter((place) => place !== null).map(oneLine);
    return `- ${type}: ${oneLine(label)}${places.length === 0 ? '' : ` (${places.join(', ')})`}`;
  });
  return [{ text: lines.join('\n') }];
}

/** Documents in full: designs, analyses and specifications by earlier agents, and attachments that are text. */
export function documentItems(
  artifacts: ReadonlyArray<Artifact>,
  attachments: ReadonlyArray<TextAttachment>,
): ReadonlyArray<ContextItem> {
  const documents = artifacts.flatMap((artifact) => {
    const content = artifact.type === 'document' ? contentOf(artifact) : null;
    return content === null ? [] : [item(`The document "${oneLine(artifact.label)}"`, content)];
  });
  return [
    ...documents,
    ...attachments.map(({ attachment, content }) => item(`The attachment "${oneLine(attachment.name)}"`, content)),
  ];
}

function item(name: string, content: string): ContextItem {
  return { text: content, render: (text) => `${name}:\n${fenced(text, 'document')}` };
}

function contentOf({ content, metadata }: Artifact): string | null {
  const text = content ?? metadata['content'];
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}

const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|yaml|toml|x-yaml|javascript|x-sh)\b)|\+(?:json|xml)$/;
const MAX_TEXT = 200_000;

/** The attachment's text if it can be shown as text, judged by its media type or, if that does not tell, by its bytes. */
export function readAsText({ mediaType }: Attachment, bytes: Uint8Array): string | null {
  const isText = TEXT_TYPES.test(mediaType);
  if (!isText && mediaType !== 'application/octet-stream') return null;
  if (bytes.byteLength > MAX_TEXT && !isText) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text.slice(0, MAX_TEXT);
  } catch {
    return null;
  }
}
