import { done } from '@attractor/base';
import { runGit } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { readLargeFile } from '../git/large-objects.ts';

export type Picture = { readonly mediaType: string; readonly base64: string };

const MAX_BYTES = 8 << 20;

/** How the files of each kind begin: a name says nothing about what is in it. Drawings made of text are shown as text. */
const KINDS: ReadonlyArray<readonly [mediaType: string, begins: RegExp]> = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['image/avif', /^[^]{4}ftypavi[fs]/],
];

/** A picture as a commit has it. */
export async function readPicture(
  cwd: string,
  { commit, path }: { readonly commit: string; readonly path: string },
): Promise<Result<Picture>> {
  const read = await runGit(['cat-file', 'blob', `${commit}:${path}`], {
    cwd,
    maxOutputBytes: MAX_BYTES,
    encoding: 'latin1',
  });
  if (read.exitCode !== 0) return refuse('not_found', `${path} does not exist.`);
  if (read.truncated) return refuse('blocked', `${path} is larger than ${MAX_BYTES >> 20} MB: it is not shown.`);
  const large = await readLargeFile(cwd, read.stdout, MAX_BYTES);
  const content = large?.toString('latin1') ?? read.stdout;
  const kind = KINDS.find(([, begins]) => begins.test(content));
  if (kind === undefined) return refuse('blocked', `${path} is not a picture that can be shown.`);
  return done({ mediaType: kind[0], base64: Buffer.from(content, 'latin1').toString('base64') });
}
