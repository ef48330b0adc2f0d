import { aimsAtSecrets } from '../secret-names.ts';
import { judgeRead, type Call, type ReadVerdict } from './arguments.ts';
import { GIT_READERS } from './git-readers.ts';

const HARMLESS_GLOBALS: ReadonlySet<string> = new Set([
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '--icase-pathspecs',
  '--no-replace-objects',
  '-P',
]);

/** git that reads this repository: no option that names another one, a program or a setting, and a reading subcommand. */
export function gitReads(call: Call): ReadVerdict {
  if (call.moved) return { refused: 'after cd, git may obey the settings of another repository' };
  let at = 0;
  while (HARMLESS_GLOBALS.has(call.words[at]?.text ?? '')) at += 1;
  const subcommand = call.words[at];
  if (subcommand?.text === '--version' && call.words.length === 1) return { reads: [] };
  if (subcommand === undefined || !subcommand.known || !subcommand.plain)
    return { refused: 'the git subcommand is not known' };
  const reader = Object.hasOwn(GIT_READERS, subcommand.text) ? GIT_READERS[subcommand.text] : undefined;
  if (reader === undefined) return { refused: `git ${subcommand.text} is not known to only read` };
  const words = call.words.slice(at + 1);
  const secret = words.find(({ text }) => namesSecretBlob(text));
  if (secret !== undefined) return { refused: `${secret.text} usually holds secrets` };
  if (reader.verb === true && words[0]?.text.startsWith('-') === true)
    return { refused: `git ${subcommand.text} with an option first means another command` };
  return judgeRead({ ...reader, wary: true }, { ...call, name: `git ${subcommand.text}`, words });
}

/** `HEAD:.env`, `:0:.npmrc`, `:(top).netrc`, `-L1,5:.npmrc` also name files, and git itself expands `'*.pem'`. */
function namesSecretBlob(text: string): boolean {
  const names = /^-L|^[^-].*/.test(text) ? text.split(':').slice(text.startsWith(':') ? 0 : 1) : [];
  const named = names.some((name) => aimsAtSecrets(name.replace(/^\([\w,!^]*\)|^[!^/]+/, '')));
  return named || (!text.startsWith('-') && /[*?[]/.test(text) && aimsAtSecrets(text));
}
