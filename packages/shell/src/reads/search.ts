import { aimsAtSecrets } from '../secret-names.ts';
import type { ParsedArguments, Reader } from './arguments.ts';

const GREP: Reader = {
  short: 'aAbcEFGhHiIlLnoPqrRsTUvVwxyzZ',
  shortValue: 'ABCdDefm',
  long: 'extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case invert-match word-regexp line-regexp count color=? colour=? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null after-context= before-context= context= text binary-files= exclude= exclude-dir= include= recursive dereference-recursive line-buffered null-data version help'.split(
    ' ',
  ),
  paths: ['f', 'file'],
  patterns: ['e', 'f', 'regexp', 'file'],
  operands: 'textThenPaths',
  number: true,
  stdin: ['r', 'R', 'recursive', 'dereference-recursive', 'V'],
  here: ({ options }) => ['r', 'R', 'recursive', 'dereference-recursive'].some((name) => options.has(name)),
  follows: ({ options }) => options.has('R') || options.has('dereference-recursive'),
  check: grepReads,
};

/** Search programs. Options that run a program on each file, unpack with one, or follow links out of the workspace are left out. */
export const SEARCHERS: Readonly<Record<string, Reader>> = {
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    short: 'abcFHhiIlNnoPpqsSUuvwxV0.',
    shortValue: 'ABCdefgjmMrtTE',
    long: 'after-context= auto-hybrid-regex before-context= binary block-buffered byte-offset case-sensitive color= colors= column context= context-separator= count count-matches crlf dfa-size-limit= encoding= engine= field-context-separator= field-match-separator= file= files files-with-matches files-without-match fixed-strings glob= glob-case-insensitive heading hidden iglob= ignore-case ignore-file= include-zero invert-match json line-buffered line-number line-regexp max-columns= max-columns-preview max-count= max-depth= max-filesize= mmap multiline multiline-dotall no-config no-filename no-heading no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-messages no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap no-unicode null null-data one-file-system only-matching passthru path-separator= pcre2 pcre2-version pretty quiet regex-size-limit= regexp= replace= smart-case sort= sortr= stats stop-on-nonmatch text threads= trim type= type-list type-not= unrestricted vimgrep with-filename word-regexp version help'.split(
      ' ',
    ),
    paths: ['f', 'file', 'ignore-file'],
    patterns: ['e', 'f', 'regexp', 'file', 'files', 'type-list'],
    operands: 'textThenPaths',
    here: ({ options }) => !['version', 'V', 'help', 'type-list'].some((name) => options.has(name)),
    check: picksNoSecrets,
  },
  fd: fd(),
  fdfind: fd(),
};

function fd(): Reader {
  return {
    short: 'HIuasgFipq01',
    shortValue: 'tedEScj',
    long: 'hidden no-ignore unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path full-path max-depth= min-depth= exact-depth= exclude= type= extension= size= changed-within= changed-before= color= threads= max-results= quiet print0 prune strip-cwd-prefix version help'.split(
      ' ',
    ),
    operands: 'textThenPaths',
    here: () => true,
    wary: true,
  };
}

/** In other versions some of these take no value, and the next word is then the pattern. */
const COUNTS = ['A', 'B', 'C', 'm', 'after-context', 'before-context', 'context', 'max-count'];

/** Waiting for a device, or descending into one, does not end. */
function grepReads(given: ParsedArguments): string | null {
  const { options } = given;
  if (COUNTS.some((name) => options.get(name)?.some((count) => !/^-?\d+$/.test(count)) === true))
    return 'the number of lines is not a number';
  if (options.get('d')?.some((action) => action !== 'skip' && action !== 'read') === true)
    return 'grep may read whole folders, which -r says plainly';
  const devices = [...(options.get('D') ?? []), ...(options.get('devices') ?? [])];
  return devices.every((action) => action === 'skip') ? picksNoSecrets(given) : 'grep may wait for a device';
}

const CHOOSERS = ['g', 'glob', 'iglob', 'include'];

/** Searching everything is one thing, searching exactly the files with secrets another. */
function picksNoSecrets({ options }: ParsedArguments): string | null {
  const globs = CHOOSERS.flatMap((name) => options.get(name) ?? []);
  const secret = globs.find((glob) => !glob.startsWith('!') && aimsAtSecrets(glob));
  return secret === undefined ? null : `${secret} chooses files that usually hold secrets`;
}
