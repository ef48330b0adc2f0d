import { namedFiles, type NamingPlace } from './named-files.ts';
import { bytesOf, changedFiles, type TrustedBytes } from './read-executable-files.ts';
import { shownChanges, wholeChanges } from './shown-changes.ts';
import { examineTrust } from './trust.ts';

/**
 * `home`: where trust is kept. Absent: nothing that is trusted later counts. `accepted`: bytes that a person let run until the session ends,
 * by the paths of their files; grows with what is accepted.
 */
export type ChangedPlace = NamingPlace &
  TrustedBytes & { readonly home?: string | undefined; readonly accepted?: Map<string, string> };

/** Files of the workspace that a trusted command names and that are not as they were trusted. */
export type ChangedFiles = {
  /** The command line that would run them. */
  readonly command: string;
  /** The SHA-256 of their bytes now, by their paths from the root. */
  readonly files: Readonly<Record<string, string>>;
  /** Why it does not run, what changed as far as a few lines say it, and the command that trusts it. */
  readonly message: string;
  /** All that changed; null where a person can't see it: a program that is no text, a file that is gone. */
  readonly changes: () => string | null;
  /** Lets exactly these bytes run until the session ends. */
  readonly accept: () => void;
};

/**
 * What keeps a trusted command from running now, or null: a file of the workspace that it names is not as it was trusted. Whoever may edit that
 * file, the agent among them, would otherwise run what nobody saw. A person can trust the workspace as it is now, also while a session runs:
 * a worktree counts as its repository, so its branch may have a state of its own.
 */
export function changedSince(words: ReadonlyArray<string>, place: ChangedPlace): ChangedFiles | null {
  const { root, accepted = new Map<string, string>() } = place;
  const names = namedFiles(words, place);
  const changed = changedFiles(changedFiles(names, place), { root, trusted: accepted });
  if (changed.length === 0 || isTrustedNow(names, place)) return null;
  const shown = shownChanges(changed, place);
  const bytes = new Map(changed.flatMap((name) => bytesOf(root, name) ?? []));
  return {
    command: words.join(' '),
    files: Object.fromEntries(bytes),
    message: [
      `${changed.join(', ')} changed since a person trusted it: in ${root} see \`attractor trust show\`, and trust it with \`attractor trust grant\`.`,
      ...(shown.length === 0 ? [] : ['What changed:', ...shown]),
    ].join('\n'),
    changes: () => (bytes.size === changed.length ? wholeChanges(changed, place) : null),
    accept: () => {
      for (const [name, sha256] of bytes) accepted.set(name, sha256);
    },
  };
}

function isTrustedNow(names: ReadonlyArray<string>, { root, home }: ChangedPlace): boolean {
  if (home === undefined) return false;
  const now = examineTrust(root, { home });
  if (now.state !== 'trusted' || now.root !== root) return false;
  const trusted = new Map(now.files.map(({ path, sha256 }) => [path, sha256]));
  return changedFiles(names, { root, trusted }).length === 0;
}
