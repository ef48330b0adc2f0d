import type { ParsedArguments, Reader } from './arguments.ts';
import { widthsEnd } from './print-formats.ts';

/** Of these no version has an option that writes a file or starts a program. */
const ONLY_READ: ReadonlySet<string> = new Set(
  'cat tac rev head tail nl wc cut paste join comm fold fmt expand unexpand pr strings od hexdump hd stat du readlink realpath md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum'.split(
    ' ',
  ),
);

const LIST: Reader = {
  short: 'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
  shortValue: 'ITw',
  long: 'all almost-all author escape ignore-backups color=? directory dired classify=? file-type format= full-time group-directories-first no-group human-readable si hide= inode ignore= kibibytes numeric-uid-gid literal indicator-style= quote-name quoting-style= reverse recursive size sort= time= time-style= width= zero version help'.split(
    ' ',
  ),
  operands: 'names',
  bareGlob: true,
  here: () => true,
  follows: ({ options }) => options.has('L'),
};

/** Commands that print, count, compare or hash files and name no program and no file to write. */
export const FILE_READERS: Readonly<Record<string, Reader>> = withInput({
  ls: LIST,
  dir: LIST,
  cat: {
    short: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting version help'.split(' '),
    operands: 'paths',
  },
  tac: { short: 'br', shortValue: 's', long: ['before', 'regex', 'separator=', 'version', 'help'], operands: 'paths' },
  rev: { operands: 'paths' },
  head: {
    short: 'qvz',
    shortValue: 'nc',
    long: 'bytes= lines= quiet silent verbose zero-terminated version help'.split(' '),
    operands: 'paths',
    number: true,
  },
  tail: {
    short: 'qvz',
    shortValue: 'nc',
    long: 'bytes= lines= quiet silent verbose zero-terminated version help'.split(' '),
    operands: 'paths',
    number: true,
    check: tailEnds,
  },
  nl: {
    short: 'p',
    shortValue: 'bdfhilnsvw',
    long: 'body-numbering= number-format= number-separator= number-width= starting-line-number= version help'.split(
      ' ',
    ),
    operands: 'paths',
    check: widthsEnd,
  },
  wc: { short: 'clmLw', long: 'bytes chars lines max-line-length words version help'.split(' '), operands: 'paths' },
  cut: {
    short: 'nsz',
    shortValue: 'bcdf',
    long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated version help'.split(
      ' ',
    ),
    operands: 'paths',
  },
  paste: {
    short: 'sz',
    shortValue: 'd',
    long: ['delimiters=', 'serial', 'zero-terminated', 'version', 'help'],
    operands: 'paths',
  },
  join: {
    short: 'iz',
    shortValue: 'aejotv12',
    long: ['ignore-case', 'check-order', 'nocheck-order', 'header', 'version', 'help'],
    operands: 'paths',
  },
  comm: {
    short: '123z',
    long: 'check-order nocheck-order output-delimiter= total zero-terminated version help'.split(' '),
    operands: 'paths',
  },
  cmp: {
    short: 'bls',
    shortValue: 'in',
    long: 'print-bytes ignore-initial= verbose bytes= quiet silent version help'.split(' '),
    operands: 'paths',
    // With one file it waits for the other.
    least: 2,
    most: 4,
  },
  diff: {
    short: 'abBcdeEiNpqrstTuwyZ',
    shortValue: 'CUWIxF',
    long: 'brief report-identical-files context=? unified=? side-by-side width= left-column suppress-common-lines show-c-function recursive no-dereference new-file ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr exclude= color=? minimal normal version help'.split(
      ' ',
    ),
    operands: 'paths',
    most: 2,
    // Of two folders it opens what their links lead to, one level deep or all.
    follows: ({ options }) => !options.has('no-dereference'),
  },
  diff3: { short: 'aeEimTxX3A', operands: 'paths', most: 3 },
  sort: {
    short: 'bcCdfghiMmnRrsuVz',
    shortValue: 'kSt',
    long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort check=? key= merge stable debug parallel= batch-size= buffer-size= field-separator= unique zero-terminated version help'.split(
      ' ',
    ),
    operands: 'paths',
  },
  shuf: {
    short: 'erz',
    shortValue: 'in',
    long: ['echo', 'head-count=', 'input-range=', 'repeat', 'zero-terminated', 'version', 'help'],
    operands: 'paths',
    stdin: ['i', 'input-range'],
    check: shufEnds,
  },
  tsort: { long: ['version', 'help'], operands: 'paths', most: 1 },
  uniq: {
    short: 'cdDiuz',
    shortValue: 'fsw',
    long: 'count repeated all-repeated=? skip-fields= group=? ignore-case skip-chars= unique zero-terminated check-chars= version help'.split(
      ' ',
    ),
    operands: 'paths',
    most: 1,
    writesNext: true,
    optionsFirst: true,
  },
  tr: {
    short: 'cCdst',
    long: ['complement', 'delete', 'squeeze-repeats', 'truncate-set1', 'version', 'help'],
    operands: 'text',
    most: 2,
  },
  fold: { short: 'bs', shortValue: 'w', long: ['bytes', 'spaces', 'width=', 'version', 'help'], operands: 'paths' },
  fmt: {
    short: 'cstu',
    shortValue: 'wgp',
    long: ['width=', 'split-only', 'uniform-spacing', 'version', 'help'],
    operands: 'paths',
    number: true,
  },
  expand: {
    short: 'i',
    shortValue: 't',
    long: ['initial', 'tabs=', 'version', 'help'],
    operands: 'paths',
    check: widthsEnd,
  },
  unexpand: {
    short: 'a',
    shortValue: 't',
    long: ['all', 'first-only', 'tabs=', 'version', 'help'],
    operands: 'paths',
    check: widthsEnd,
  },
  column: {
    short: 'txLJ',
    shortValue: 'csoNRHTWn',
    long: 'table json table-name= separator= output-separator= table-columns= fillrows output-width= version help'.split(
      ' ',
    ),
    operands: 'paths',
    check: widthsEnd,
  },
  pr: { short: 'adfFmtTn', shortValue: 'hlowW', operands: 'paths', number: true, check: widthsEnd },
  strings: {
    short: 'afow',
    shortValue: 'ent',
    long: ['all', 'bytes=', 'radix=', 'encoding=', 'version', 'help'],
    operands: 'paths',
    check: namesNoList,
  },
  od: {
    short: 'abcdfilosxv',
    shortValue: 'AjNt',
    shortMaybe: 'w',
    long: 'address-radix= skip-bytes= read-bytes= format= output-duplicates width=? version help'.split(' '),
    operands: 'paths',
  },
  hexdump: {
    short: 'bcCdovx',
    shortValue: 'ens',
    long: ['canonical', 'length=', 'skip=', 'no-squeezing'],
    operands: 'paths',
  },
  hd: { shortValue: 'ns', operands: 'paths' },
  // A second operand is written, and options end with the first one.
  xxd: {
    short: 'abeiup',
    shortValue: 'cgls',
    operands: 'paths',
    most: 1,
    writesNext: true,
    optionsFirst: true,
    apart: true,
  },
  base64: {
    short: 'di',
    shortValue: 'w',
    long: ['decode', 'ignore-garbage', 'wrap=', 'version', 'help'],
    operands: 'paths',
    most: 1,
  },
  base32: {
    short: 'di',
    shortValue: 'w',
    long: ['decode', 'ignore-garbage', 'wrap=', 'version', 'help'],
    operands: 'paths',
    most: 1,
  },
  iconv: {
    short: 'cs',
    shortValue: 'ft',
    long: ['from-code=', 'to-code=', 'silent', 'version', 'help'],
    // A name with a slash is a file that describes an encoding.
    paths: ['f', 't', 'from-code', 'to-code'],
    operands: 'paths',
    wary: true,
  },
  ...hashes(),
  stat: {
    short: 'ftL',
    shortValue: 'c',
    long: ['dereference', 'file-system', 'format=', 'printf=', 'terse', 'version', 'help'],
    operands: 'names',
    check: widthsEnd,
  },
  file: {
    short: 'bEhikLlnNrv0',
    shortValue: 'eFP',
    long: 'brief dereference no-dereference keep-going mime mime-type mime-encoding no-pad raw extension version help'.split(
      ' ',
    ),
    operands: 'paths',
    check: fileReads,
  },
  du: {
    short: '0abchkmsSx',
    shortValue: 'dtB',
    long: 'all apparent-size bytes total human-readable max-depth= summarize one-file-system separate-dirs threshold= exclude= si null time=? time-style= version help'.split(
      ' ',
    ),
    operands: 'names',
    here: () => true,
  },
  df: {
    short: 'ahHiklPT',
    shortValue: 'tBx',
    long: 'all human-readable si inodes local portability print-type type= exclude-type= total version help output=?'.split(
      ' ',
    ),
    operands: 'names',
  },
  tree: {
    short: 'adfiqNQpugshDFrtcUSnCAJXv',
    shortValue: 'LPI',
    long: 'noreport charset= filelimit= gitignore matchdirs ignore-case prune dirsfirst sort= du si metafirst version help'.split(
      ' ',
    ),
    operands: 'names',
    here: () => true,
    wary: true,
  },
  readlink: {
    short: 'efmnqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing no-newline version help'.split(' '),
    operands: 'names',
  },
  realpath: {
    short: 'emLPqsz',
    long: 'canonicalize-existing canonicalize-missing logical physical quiet strip no-symlinks relative-to= relative-base= version help'.split(
      ' ',
    ),
    operands: 'names',
    least: 1,
  },
});

/** Without a file, all readers of files read their input. */
function withInput(readers: Readonly<Record<string, Reader>>): Readonly<Record<string, Reader>> {
  const entries = Object.entries(readers);
  return Object.fromEntries(
    entries.map(([name, reader]) => [
      name,
      {
        ...reader,
        mayStopEarly: true,
        ...(ONLY_READ.has(name) ? { onlyReads: true } : {}),
        ...(reader.operands === 'names' ? {} : { stdin: reader.stdin ?? [] }),
      },
    ]),
  );
}

function hashes(): Record<string, Reader> {
  const names = ['md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'b2sum', 'cksum', 'sum'];
  const reader: Reader = { short: 'bt', long: ['binary', 'text', 'tag', 'zero', 'version', 'help'], operands: 'paths' };
  return Object.fromEntries([
    ...names.map((name) => [name, reader]),
    ['shasum', { short: 'bt', shortValue: 'a', operands: 'paths' }],
  ]);
}

/** `-C` compiles and writes a magic file; a file given with `-m` or `-f` is obeyed. Neither is in the table. */
function fileReads({ operands }: ParsedArguments): string | null {
  return operands.length === 0 ? 'file without operands only prints its help' : null;
}

/** `tail +5f x` is the old form of `tail -n +5 -f x`, and `tail -cf x` that of `tail -c 10 -f x`. */
function tailEnds({ operands, options }: ParsedArguments): string | null {
  if (options.get('c')?.some((count) => count.startsWith('f')) === true) return 'tail -cf does not end';
  return operands[0]?.text.startsWith('+') === true ? 'tail +… may not end' : null;
}

/** `@file` is replaced by the words in that file, in any position. */
function namesNoList({ operands, options }: ParsedArguments): string | null {
  const words = [...operands.map(({ text }) => text), ...[...options.values()].flat()];
  const mayBegin = operands.some(({ text, glob, found }) => (glob && /^[*?[]/.test(text)) || found?.dashed === true);
  return mayBegin || words.some((word) => word.startsWith('@'))
    ? 'words that begin with @ name a file of arguments'
    : null;
}

function shufEnds({ options }: ParsedArguments): string | null {
  if (options.has('r') || options.has('repeat')) return 'shuf may not end';
  const ranges = [...(options.get('i') ?? []), ...(options.get('input-range') ?? [])];
  return ranges.every((range) => /^\d{1,6}-\d{1,6}$/.test(range)) ? null : 'shuf may not end';
}
