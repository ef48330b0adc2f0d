import { EnvironmentError } from '@attractor/system';
import { PROTECTED_NAMES } from './protected-names.ts';

/** Characters that some file systems ignore inside a name: zero-width and direction marks. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
/** Characters that hide or reorder a name on screen: control characters and direction overrides. */
const DECEPTIVE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const MAX_PATH_BYTES = 4_096;
const MAX_NAME_BYTES = 255;

/** Refuses what can't be a path here at all. */
export function checkAskedPath(asked: string): void {
  if (asked === '') throw invalid('The path is empty: name a file or folder.');
  if (asked.includes('\0')) throw invalid('The path contains a NUL character.');
  if (!asked.isWellFormed()) throw invalid('The path contains half a character.');
  if (Buffer.byteLength(asked) >= MAX_PATH_BYTES) throw invalid(`The path is longer than ${MAX_PATH_BYTES} bytes.`);
  if (asked.split('/').some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    throw invalid(`A name in the path is longer than ${MAX_NAME_BYTES} bytes.`);
  }
}

/** Refuses to create a name that people can't see as it is. */
export function checkNewName(name: string): void {
  if (DECEPTIVE.test(name)) {
    throw invalid(`The name ${JSON.stringify(name)} contains control or direction characters: use visible ones.`);
  }
}

/** `relative` is the real path below the root. Every spelling counts that some file system treats as the same name. */
export function checkUnprotected(relative: string): void {
  const found = relative.split('/').find(isProtectedName);
  if (found !== undefined) {
    throw new EnvironmentError({
      code: 'protected',
      message: `${relative} is protected: files under ${found} steer other programs and are not changed by tools.`,
    });
  }
}

/** Whether some file system takes this for a protected name. */
export function isProtectedName(name: string): boolean {
  const plain =
    name
      .normalize('NFKC')
      .replace(INVISIBLE, '')
      .toLowerCase()
      .split(':', 1)[0]
      ?.replace(/[. ]+$/, '') ?? '';
  return PROTECTED_NAMES.has(plain) || /^git~\d$/.test(plain);
}

function invalid(message: string): EnvironmentError {
  return new EnvironmentError({ code: 'invalid_path', message });
}
