import type { ParsedArguments, Reader } from './arguments.ts';
import { printfSets, widthsEnd } from './print-formats.ts';

/** Facts about the machine, pure output, and tests of a condition. */
export const SYSTEM_READERS: Readonly<Record<string, Reader>> = {
  pwd: { short: 'LP', operands: 'none' },
  whoami: { long: ['version', 'help'], operands: 'none' },
  id: {
    short: 'agGnruz',
    long: 'context group groups name real user zero version help'.split(' '),
    operands: 'text',
    most: 1,
  },
  groups: { operands: 'text', most: 1 },
  logname: { operands: 'none' },
  hostname: { short: 'sI', long: ['short', 'all-ip-addresses', 'version', 'help'], operands: 'none' },
  uname: {
    short: 'aimnoprsv',
    long: 'all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system version help'.split(
      ' ',
    ),
    operands: 'none',
  },
  arch: { operands: 'none' },
  nproc: { long: ['all', 'ignore=', 'version', 'help'], operands: 'none' },
  uptime: { short: 'psV', long: ['pretty', 'since', 'version', 'help'], operands: 'none' },
  free: { short: 'bghklmtw', long: ['human', 'mebi', 'gibi', 'total', 'wide', 'version', 'help'], operands: 'none' },
  lscpu: { short: 'aceJpxy', operands: 'none' },
  tty: { short: 's', operands: 'none' },
  date: {
    short: 'uR',
    shortValue: 'd',
    shortMaybe: 'Iv',
    long: ['date=', 'utc', 'universal', 'iso-8601=?', 'rfc-3339=', 'rfc-email', 'version', 'help'],
    operands: 'text',
    most: 1,
    check: dateReads,
  },
  cal: { short: '13jmyswhS', operands: 'text', most: 3 },
  whereis: { short: 'bmsu', operands: 'text', least: 1 },
  which: { short: 'as', operands: 'text' },
  type: { short: 'aftpP', operands: 'text' },
  echo: { short: 'neE', operands: 'text', bareGlob: true, printsDashes: true, anyText: true },
  printf: { operands: 'text', least: 1, printsDashes: true, anyText: true, check: printfSets },
  true: { operands: 'text', anyText: true },
  false: { operands: 'text', anyText: true },
  ':': { operands: 'text', anyText: true },
  umask: { short: 'S', operands: 'text', most: 1, check: umaskSets },
  ulimit: { short: 'aSHcdfilmnpqrstuvx', operands: 'none' },
  lsblk: { short: 'abdfilmnprstDSJP', shortValue: 'oIe', operands: 'none' },
  bc: { short: 'lqsi', long: ['mathlib', 'quiet', 'version', 'help'], operands: 'none', stdin: [] },
  seq: {
    short: 'w',
    shortValue: 'fs',
    long: ['format=', 'separator=', 'equal-width', 'version', 'help'],
    operands: 'text',
    least: 1,
    most: 3,
    check: seqEnds,
  },
  factor: { operands: 'text', least: 1, most: 4, check: shortNumbers },
  basename: {
    anyText: true,
    short: 'az',
    shortValue: 's',
    long: ['multiple', 'suffix=', 'zero', 'version', 'help'],
    operands: 'text',
    least: 1,
  },
  dirname: { anyText: true, short: 'z', long: ['zero', 'version', 'help'], operands: 'text', least: 1 },
  locale: { short: 'akcm', operands: 'none' },
  getconf: { short: 'a', operands: 'text', most: 1 },
  numfmt: {
    long: ['to=', 'from=', 'suffix=', 'padding=', 'header=?', 'field=', 'delimiter=', 'format='],
    operands: 'text',
    least: 1,
    check: widthsEnd,
  },
  sleep: { operands: 'text', least: 1, most: 1, check: shortSleep },
  node: onlyVersion('-v'),
  nodejs: onlyVersion('-v'),
  python: onlyVersion('-V'),
  python3: onlyVersion('-V'),
  perl: onlyVersion('-v'),
  ruby: onlyVersion('-v'),
  bash: onlyVersion(''),
  awk: onlyVersion(''),
  gawk: onlyVersion(''),
  make: onlyVersion('-v'),
  cmake: onlyVersion(''),
  gcc: onlyVersion(''),
  'g++': onlyVersion(''),
  clang: onlyVersion(''),
  cc: onlyVersion(''),
  tar: onlyVersion(''),
  sed: onlyVersion(''),
  find: onlyVersion(''),
};

/** Exactly `name --version`, or the one short form: with anything more, some of them run code. */
function onlyVersion(short: string): Reader {
  return { short: short.slice(1), long: ['version'], operands: 'none', check: one };
}

function one({ options }: ParsedArguments): string | null {
  const given = [...options.values()].reduce((sum, values) => sum + values.length, 0);
  return given === 1 ? null : 'anything but asking for the version runs code';
}

/** `date 010203042020` sets the clock. */
function dateReads(given: ParsedArguments): string | null {
  const dates = [...(given.options.get('d') ?? []), ...(given.options.get('date') ?? [])];
  if (dates.some((text) => text.includes('TZ='))) return 'a time zone in a date is a file that is opened';
  return given.operands.every(({ text }) => text.startsWith('+')) ? widthsEnd(given) : 'date sets the clock';
}

function umaskSets({ operands }: ParsedArguments): string | null {
  return operands.every(({ text }) => /^[0-7]{1,4}$/.test(text)) ? null : 'this form of umask is not known';
}

/** Counting to a number with many digits takes too long. */
function seqEnds(given: ParsedArguments): string | null {
  const { operands } = given;
  const [a, b, c] = operands.map(({ text }) => text);
  if (![a, b, c].every((text) => text === undefined || /^-?\d{1,6}(?:\.\d{1,3})?$/.test(text)))
    return 'seq may not end';
  return operands.length === 3 && Math.abs(Number(b)) < 0.001 ? 'seq may not end' : widthsEnd(given);
}

function shortNumbers({ operands }: ParsedArguments): string | null {
  return operands.every(({ text }) => /^\d{1,15}$/.test(text)) ? null : 'factor may not end';
}

function shortSleep({ operands }: ParsedArguments): string | null {
  return /^(?:\d|10)(?:\.\d{1,3})?s?$/.test(operands[0]?.text ?? '') ? null : 'sleep waits too long';
}
