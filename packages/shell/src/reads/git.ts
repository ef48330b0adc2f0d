import { kernelPath } from '../kernel-path.ts';
import { placeInside } from '../paths.ts';
import { aimsAtSecrets } from '../secret-names.ts';
import type { ExpandedWord } from '../words.ts';
import { judgeRead, type Call, type Reader, type ReadVerdict } from './arguments.ts';
import { GIT_READERS } from './git-readers.ts';

const HARMLESS_GLOBALS: ReadonlySet<string> = new Set([
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--icase-pathspecs',
  '--no-replace-objects',
  '-P',
]);

/**
 * git that reads: a reading subcommand, and no option that names a program, a setting or a repository other than by a folder of the
 * workspace. Whether a repository makes reading run something is asked of git, for each folder in `repositories`.
 */
export function gitReads(call: Call): ReadVerdict {
  const placed = placeGit(call);
  if ('refused' in placed) return placed;
  const { words, cwds } = placed;
  if (!call.pathContext.asksGit && (call.moved || cwds !== call.cwds))
    return { refused: 'after cd, git may obey the settings of another repository' };
  const [subcommand, ...given] = words;
  const rest = withoutLeftOut(given);
  if (subcommand === undefined || !subcommand.known || !subcommand.plain)
    return { refused: 'the git subcommand is not known' };
  if (subcommand.text === '--version' && rest.length === 0) return { reads: [] };
  const reader = READERS.get(subcommand.text);
  if (reader === undefined) return { refused: `git ${subcommand.text} is not known to only read` };
  const secret = rest.find(({ text }) => namesSecretBlob(text));
  if (secret !== undefined) return { refused: `${secret.text} usually holds secrets` };
  if (reader.verb === true && rest[0]?.text.startsWith('-') === true)
    return { refused: `git ${subcommand.text} with an option first means another command` };
  const verdict = judgeRead(reader, { ...call, name: `git ${subcommand.text}`, words: rest, cwds });
  return 'refused' in verdict ? verdict : { ...verdict, repositories: cwds };
}

const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries(GIT_READERS).map(([name, reader]) => [name, { ...reader, wary: true, revisions: true }]),
);

type GitPlaced = { readonly words: ReadonlyArray<ExpandedWord>; readonly cwds: ReadonlyArray<string> };

/** The words from the subcommand on, and the folders that `-C` leads to, one after the other. */
function placeGit({ words, cwds: from, pathContext }: Call): GitPlaced | { readonly refused: string } {
  let cwds = from;
  let at = 0;
  for (; ; at += 1) {
    const word = words[at];
    if (word?.text === '-C' && word.known) {
      const to = words[(at += 1)];
      if (to === undefined || !to.known || to.glob) return { refused: 'the folder of git -C is not known' };
      for (const cwd of cwds) {
        const place = placeInside(to, cwd, pathContext);
        if ('refused' in place) return place;
      }
      const reached = cwds.map((cwd) => (leavesByLink(to.text) ? null : kernelPath(to.text, cwd, pathContext.disk)));
      if (reached.includes(null)) return { refused: `where ${to.text} leads can't be told` };
      cwds = [...new Set(reached.flatMap((cwd) => cwd ?? []))];
    } else if (word === undefined || !HARMLESS_GLOBALS.has(word.text)) return { words: words.slice(at), cwds };
  }
}

/** The kernel leaves what a link leads to, and not the link. */
function leavesByLink(text: string): boolean {
  return /[^/.].*\/\.\.(?:\/|$)/.test(text);
}

/** `-- . ':!.env'`: what is left out is not read. */
function withoutLeftOut(words: ReadonlyArray<ExpandedWord>): ReadonlyArray<ExpandedWord> {
  const end = words.findIndex(({ text, known }) => known && text === '--');
  if (end < 0) return words;
  return words.filter(({ text, known }, at) => at <= end || !known || !/^:(?:[!^]|\(exclude\))/.test(text));
}

/** `HEAD:.env`, `:0:.npmrc`, `:(top).netrc`, `-L1,5:.npmrc` also name files, and git itself expands `'*.pem'`. */
function namesSecretBlob(text: string): boolean {
  const names = /^-L|^[^-].*/.test(text) ? text.split(':').slice(text.startsWith(':') ? 0 : 1) : [];
  const named = names.some((name) => aimsAtSecrets(name.replace(/^\([\w,!^]*\)|^[!^/]+/, '')));
  return named || (!text.startsWith('-') && /[*?[]/.test(text) && aimsAtSecrets(text));
}
