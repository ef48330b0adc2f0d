import type { Failure, Result } from '@attractor/base';
import { differenceOf, type FileDifference } from './difference.ts';
import { type ExecutableFile, hashOf, readExecutableFiles } from './read-executable-files.ts';
import { identifyRepository } from './repository-identity.ts';
import { changeTrust, keepTexts, readTexts, readTrust, withState } from './trust-store.ts';

/**
 * What a person would be asked to trust, and whether somebody did. `files` were read once: `hash` is theirs, and a reader of the
 * repository's configuration takes their content from here, so that nothing can change between the check and the use.
 */
export type TrustExamination = {
  readonly root: string;
  readonly key: string;
  readonly state: 'trusted' | 'unknown' | 'changed';
  readonly hash: string;
  readonly files: ReadonlyArray<ExecutableFile>;
  /** Compared with the state that was trusted last; empty unless `changed`. */
  readonly difference: ReadonlyArray<FileDifference>;
  /** Why it can't be trusted as it is; empty otherwise. */
  readonly problems: ReadonlyArray<string>;
};

export type TrustFailure = Failure<'conflict' | 'invalid' | 'permission'>;

export type TrustResult<Value> = Result<Value, TrustFailure>;

/** Examines the repository that a folder is in, without running or changing anything. `home` is where trust is kept. */
export function examineTrust(folder: string, { home }: { readonly home: string }): TrustExamination {
  const { root, key } = identifyRepository(folder);
  const { files, problems } = readExecutableFiles(root);
  const hash = hashOf(files);
  const stored = readTrust(home);
  const states = stored.ok ? (stored.records[key] ?? []) : [];
  const known = { root, key, hash, files };
  if (!stored.ok) return { ...known, state: 'unknown', difference: [], problems: [...problems, stored.message] };
  if (problems.length === 0 && states.some((state) => state.hash === hash))
    return { ...known, state: 'trusted', difference: [], problems };
  const last = states.at(-1);
  if (last === undefined) return { ...known, state: 'unknown', difference: [], problems };
  return { ...known, state: 'changed', difference: differenceOf(readTexts(home, last.hash), textsOf(files)), problems };
}

/** Trusts exactly what was examined; refused if the repository changed since. */
export async function trustRepository(
  examined: TrustExamination,
  { home, now = new Date() }: { readonly home: string; readonly now?: Date },
): Promise<TrustResult<TrustExamination>> {
  const present = examineTrust(examined.root, { home });
  if (present.hash !== examined.hash || present.key !== examined.key)
    return refuse(
      'conflict',
      'The configuration has changed since it was shown: look at it again before you trust it.',
    );
  if (present.problems.length > 0)
    return refuse('invalid', `This repository can't be trusted as it is: ${few(present.problems)}.`);
  try {
    keepTexts(home, present.hash, textsOf(present.files));
  } catch (error) {
    return refuse('permission', `The trusted texts could not be kept under ${home}: ${String(error)}`);
  }
  const state = { hash: present.hash, at: now.toISOString() };
  const changed = await changeTrust(home, (records) => withState(records, present.key, state));
  if (!changed.ok) return refuse('permission', changed.message);
  return { ok: true, value: { ...present, state: 'trusted', difference: [] } };
}

/** Forgets every trusted state of the repository; returns whether there was one. */
export async function revokeTrust(folder: string, { home }: { readonly home: string }): Promise<TrustResult<boolean>> {
  const { key } = identifyRepository(folder);
  let was = false;
  const changed = await changeTrust(home, (records) => {
    const { [key]: states, ...others } = records;
    was = states !== undefined;
    return others;
  });
  return changed.ok ? { ok: true, value: was } : refuse('permission', changed.message);
}

/** One line that says what is left unused and how to trust it, or null. What it forbids applies without trust. */
export function untrustedNotice({ state, files, problems }: TrustExamination): string | null {
  if (state === 'trusted' || (files.length === 0 && problems.length === 0)) return null;
  const count = files.length === 1 ? '1 file' : `${files.length} files`;
  const why = state === 'changed' ? 'changed since it was trusted' : 'is not trusted';
  return `The configuration of this repository (${count}) ${why} and is not used: see \`attractor trust show\`, and trust it with \`attractor trust grant\`. What it forbids still applies.`;
}

function textsOf(files: ReadonlyArray<ExecutableFile>): ReadonlyMap<string, string> {
  return new Map(files.map(({ path, content }) => [path, content]));
}

function refuse(code: TrustFailure['code'], message: string): { readonly ok: false; readonly error: TrustFailure } {
  return { ok: false, error: { code, message, retryable: code === 'conflict' } };
}

const SHOWN = 5;

function few(problems: ReadonlyArray<string>): string {
  const more = problems.length - SHOWN;
  return [...problems.slice(0, SHOWN), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
