import path from 'node:path';
import { templateParts } from '../template/template.ts';

export type MentionedFile = { readonly mention: string; readonly content: string };

/** Words that are piped in may be full of them. */
const MOST = 20;

/**
 * The files of the workspace that words mention as `@path`, each once. What is elsewhere, is no text, or `read` does not give, is left to
 * the agent: the words stay as they are, and may be somebody else's.
 */
export async function mentionedFiles(
  text: string,
  read: (file: string) => Promise<string | null>,
): Promise<ReadonlyArray<MentionedFile>> {
  const files = templateParts(text, 'claude').flatMap((part) =>
    part.kind === 'file' && isInside(part.text) ? [part.text] : [],
  );
  const found: MentionedFile[] = [];
  for (const file of new Set(files)) {
    if (found.length === MOST) break;
    const content = await read(file);
    if (content !== null && !content.includes('\0')) found.push({ mention: `@${file}`, content });
  }
  return found;
}

function isInside(file: string): boolean {
  return !path.isAbsolute(file) && !file.startsWith('~') && !path.normalize(file).startsWith('..');
}
