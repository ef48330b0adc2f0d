import { judgeRead, type Call, type ParsedArguments, type Reader, type ReadVerdict } from './arguments.ts';

/** Both gzip and zip open `x.gz` and `x.zip` where there is no `x`. */
const GZIPS = ['.gz', '.z', '.Z', '-gz', '-z', '_z', '.tgz', '.taz'];
const ZIPS = ['.zip', '.ZIP'];

const UNZIP: Reader = {
  short: 'lvqZ1',
  operands: 'paths',
  most: 1,
  least: 1,
  optionsFirst: true,
  tries: ZIPS,
  check: (given) => (['l', 'v', 'Z'].some((name) => given.options.has(name)) ? whyManyZips(given) : 'unzip writes'),
};
const LIST: Reader = {
  short: 'tvzjJ',
  shortValue: 'f',
  long: ['list', 'verbose', 'gzip', 'file='],
  paths: ['f', 'file'],
  operands: 'none',
  check: isLocal,
};
/** Unpacks to its output and keeps the file; without both it writes. */
const UNPACK: Reader = {
  short: 'cdkqtl',
  long: ['stdout', 'decompress', 'keep', 'list', 'test', 'quiet'],
  operands: 'paths',
  stdin: [],
  check: ({ options }) =>
    options.has('c') || options.has('stdout') || options.has('l') || options.has('t')
      ? null
      : 'it writes the file that it unpacks',
};
const SHOW: Reader = { operands: 'paths', least: 1 };

/** Listing an archive; a helper program, another folder or unpacking is not in the table. */
export const ARCHIVES: Readonly<Record<string, (call: Call) => ReadVerdict>> = {
  unzip: (call) => judgeRead(UNZIP, call),
  zipinfo: (call) => judgeRead({ ...SHOW, short: '12slvhmtT', most: 1, tries: ZIPS, check: whyManyZips }, call),
  zcat: (call) => judgeRead({ ...SHOW, least: 0, stdin: [], tries: GZIPS }, call),
  gunzip: (call) => judgeRead({ ...UNPACK, tries: GZIPS }, call),
  gzip: (call) => judgeRead({ ...UNPACK, tries: GZIPS }, call),
  xz: (call) => judgeRead(UNPACK, call),
  zstd: (call) => judgeRead(UNPACK, call),
  bzip2: (call) => judgeRead(UNPACK, call),
  tar: tarLists,
};

/** A pattern that the shell left alone is expanded by unzip itself. */
function whyManyZips({ operands }: ParsedArguments): string | null {
  return operands.some(({ text, glob }) => !glob && /[*?[\\]/.test(text))
    ? 'unzip takes its operand for a pattern'
    : null;
}

/** `host:file` is fetched from that host. */
function isLocal({ options }: ParsedArguments): string | null {
  const files = [...(options.get('f') ?? []), ...(options.get('file') ?? [])];
  return files.some((file) => file.includes(':')) ? 'tar would ask another machine' : null;
}

/** `tar tf x` is `tar -t -f x`. */
function tarLists(call: Call): ReadVerdict {
  const [first, ...rest] = call.words;
  if (first === undefined) return { refused: 'tar without arguments' };
  const old = /^[tvzjJf]+$/.test(first.text) && first.plain;
  const words = old ? [{ ...first, text: `-${first.text}` }, ...rest] : call.words;
  const lists = words.some(({ text }) => /^-[vzjJ]*t/.test(text) || text === '--list');
  return lists ? judgeRead(LIST, { ...call, words }) : { refused: 'tar writes' };
}
