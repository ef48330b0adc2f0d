import path from 'node:path';
import { templateParts } from '../template/template.ts';

/** `content`: what was made of it. */
export type MentionedFile<Content> = { readonly mention: string; readonly content: Content };

/** Words that are piped in may be full of them. */
const MOST = 20;

/**
 * The files of the workspace that words mention as `@path`, each once. What is elsewhere, or `read` does not give, is left to the agent:
 * the words stay as they are, and may be somebody else's.
 */
export async function mentionedFiles<Content>(
  text: string,
  read: (file: string) => Promise<Content | null>,
): Promise<ReadonlyArray<MentionedFile<Content>>> {
  const files = templateParts(text, 'claude').flatMap((part) =>
    part.kind === 'file' && isInside(part.text) ? [part.text] : [],
  );
  const found: Array<MentionedFile<Content>> = [];
  for (const file of new Set(files)) {
    if (found.length === MOST) break;
    const content = await read(file);
    if (content !== null) found.push({ mention: `@${file}`, content });
  }
  return found;
}

function isInside(file: string): boolean {
  return !path.isAbsolute(file) && !file.startsWith('~') && !path.normalize(file).startsWith('..');
}
