import { MOVERS } from './move-folder.ts';
import type { ExpandedWord } from './words.ts';

/**
 * A command that runs the words after it.
 * - `skip`: how many words are its own, from its options on; null if that is unknown
 * - `trust`: `plain` changes nothing about what runs; `stripped` is removed before rules are matched, and asks otherwise;
 *   `never` is a separate command, whose inside is checked for what must be denied
 */
export type Wrapper = {
  readonly trust: 'plain' | 'stripped' | 'never';
  readonly skip: (words: ReadonlyArray<ExpandedWord>) => number | null;
  /** What those words may be, with a blank between them; if they are anything else, `trust` is `never`. */
  readonly own?: RegExp;
};

export type Unwrapped = {
  readonly words: ReadonlyArray<ExpandedWord>;
  /** The names that were removed, outermost first. */
  readonly wrappers: ReadonlyArray<string>;
  readonly trust: Wrapper['trust'];
};

/** Removes every wrapper. `trust` is that of the least trusted one. */
export function unwrap(words: ReadonlyArray<ExpandedWord>): Unwrapped {
  let rest = words;
  let trust: Wrapper['trust'] = 'plain';
  const wrappers: string[] = [];
  for (let round = 0; round < MOST_WRAPPERS; round += 1) {
    const name = rest[0];
    const wrapper = name?.known === true ? wrapperOf(name.text) : undefined;
    if (name === undefined || wrapper === undefined) break;
    const own = wrapper.skip(rest.slice(1));
    if (own === null || own + 1 >= rest.length) break;
    wrappers.push(name.text);
    const isUnderstood = name.plain && isOnly(wrapper.own, rest.slice(1, own + 1));
    trust = worst(trust, isUnderstood ? wrapper.trust : 'never');
    rest = rest.slice(own + 1);
  }
  const apart = wrappers.some((name) => !IN_SHELL.has(name)) && MOVERS.has(rest[0]?.text ?? '');
  return { words: rest, wrappers, trust: apart ? 'never' : trust };
}

export function isWrapper(name: string): boolean {
  return BY_NAME.has(name);
}

function isOnly(own: RegExp | undefined, words: ReadonlyArray<ExpandedWord>): boolean {
  if (own === undefined) return true;
  return !words.some(({ text }) => /\s/.test(text)) && own.test(words.map(({ text }) => text).join(' '));
}

/** The others start a process, and a `cd` in there moves no shell. */
const IN_SHELL: ReadonlySet<string> = new Set(['command', 'builtin', 'noglob']);

const MOST_WRAPPERS = 20;
const ORDER = ['plain', 'stripped', 'never'] as const;

function worst(left: Wrapper['trust'], right: Wrapper['trust']): Wrapper['trust'] {
  return ORDER[Math.max(ORDER.indexOf(left), ORDER.indexOf(right))] ?? 'never';
}

function wrapperOf(name: string): Wrapper | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const wrapper = BY_NAME.get(base);
  return wrapper === undefined || base === name ? wrapper : { ...wrapper, trust: 'never' };
}

type Shape = {
  /** Letters of options that take the next word if nothing follows them. */
  readonly values?: string;
  /** Long options that take the next word. */
  readonly long?: ReadonlyArray<string>;
  readonly operands?: number;
  readonly assignments?: boolean;
  /** Options after which it runs nothing, or something else. */
  readonly stop?: RegExp;
};

const TIME = String.raw`\d+(?:\.\d+)?[smhd]?`;
const SIGNAL = '[A-Za-z0-9+-]+';
const BUFFER = String.raw`(?:L|\d+[kKMGTPEZY]?B?)`;

/** Any number of the options, optionally followed by `--`. */
function options(...forms: ReadonlyArray<string>): string {
  return `(?:(?:${forms.join('|')})(?: |$))*(?:--(?: |$))?`;
}

const OWN = {
  timeout: new RegExp(
    `^${options('-v|--verbose|--foreground|--preserve-status', `-k ?${TIME}|--kill-after[ =]${TIME}`, `-s ?${SIGNAL}|--signal[ =]${SIGNAL}`)}${TIME}$`,
  ),
  nice: new RegExp(`^${options(String.raw`-n ?-?\d+|--adjustment[ =]-?\d+|--?\d+`)}$`),
  stdbuf: new RegExp(`^${options(`-[ioe] ?${BUFFER}`, `--(?:input|output|error)[ =]${BUFFER}`)}$`),
  /** As a shell keyword it knows only this option; anything else would be the command. */
  time: new RegExp(`^${options('-p')}$`),
  command: new RegExp(`^${options('-p')}$`),
  nothing: new RegExp(`^${options()}$`),
} as const;

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  timeout: {
    trust: 'plain',
    skip: shape({ values: 'ks', long: ['--kill-after', '--signal'], operands: 1 }),
    own: OWN.timeout,
  },
  time: { trust: 'plain', skip: shape({ stop: /^-(?:.*[oaf]|-(?:output|append|format))/ }), own: OWN.time },
  nice: { trust: 'plain', skip: shape({ values: 'n', long: ['--adjustment'] }), own: OWN.nice },
  stdbuf: {
    trust: 'plain',
    skip: shape({ values: 'ioe', long: ['--input', '--output', '--error'] }),
    own: OWN.stdbuf,
  },
  command: { trust: 'plain', skip: shape({ stop: /^-.*[vV]/ }), own: OWN.command },
  builtin: { trust: 'plain', skip: shape({}), own: OWN.nothing },
  nohup: { trust: 'stripped', skip: shape({}), own: OWN.nothing },
  noglob: { trust: 'stripped', skip: shape({}), own: OWN.nothing },
  nocorrect: { trust: 'never', skip: shape({}) },
  xargs: {
    trust: 'never',
    skip: shape({
      values: 'adEILnPs',
      long: '--arg-file --delimiter --max-args --max-procs --max-chars --max-lines --replace'.split(' '),
    }),
  },
  env: {
    trust: 'never',
    skip: shape({ values: 'uC', long: ['--unset', '--chdir'], assignments: true, stop: /^-(?:[^-]*S|-split)/ }),
  },
  sudo: {
    trust: 'never',
    skip: shape({
      values: 'ugpChrtTDR',
      long: '--user --group --prompt --chdir --host --chroot'.split(' '),
      assignments: true,
    }),
  },
  pkexec: { trust: 'never', skip: shape({ long: ['--user'] }) },
  runuser: { trust: 'never', skip: shape({ values: 'ugG', long: ['--user', '--group'], stop: /^-c|^--command/ }) },
  gosu: { trust: 'never', skip: shape({ operands: 1 }) },
  'su-exec': { trust: 'never', skip: shape({ operands: 1 }) },
  firejail: { trust: 'never', skip: shape({}) },
  doas: { trust: 'never', skip: shape({ values: 'uC' }) },
  exec: { trust: 'never', skip: shape({ values: 'a' }) },
  setsid: { trust: 'never', skip: shape({}) },
  ionice: { trust: 'never', skip: shape({ values: 'cnpPu' }) },
  chrt: { trust: 'never', skip: shape({ operands: 1 }) },
  taskset: { trust: 'never', skip: shape({ operands: 1 }) },
  flock: { trust: 'never', skip: shape({ values: 'wE', operands: 1, stop: /^-c|^--command/ }) },
  watch: { trust: 'never', skip: shape({ values: 'nq' }) },
  chroot: { trust: 'never', skip: shape({ operands: 1 }) },
  unshare: { trust: 'never', skip: shape({ values: 'RwSG' }) },
  strace: { trust: 'never', skip: shape({ values: 'abeEIoOpPsSuUX' }) },
  ltrace: { trust: 'never', skip: shape({ values: 'aeloFpsuxX' }) },
  parallel: { trust: 'never', skip: shape({ values: 'jNnSaId', long: ['--jobs'] }) },
  busybox: { trust: 'never', skip: shape({}) },
  toybox: { trust: 'never', skip: shape({}) },
  script: { trust: 'never', skip: shape({ stop: /^-.*c/ }) },
  unbuffer: { trust: 'never', skip: shape({}) },
  proxychains: { trust: 'never', skip: shape({}) },
  fakeroot: { trust: 'never', skip: shape({}) },
  setpriv: { trust: 'never', skip: shape({}) },
  prlimit: { trust: 'never', skip: shape({}) },
  'systemd-run': { trust: 'never', skip: shape({ values: 'puGMHt' }) },
  coproc: { trust: 'never', skip: shape({}) },
};

const BY_NAME: ReadonlyMap<string, Wrapper> = new Map(Object.entries(WRAPPERS));

/** Options first, then assignments, then fixed operands; the rest is the command. */
function shape({ values = '', long = [], operands = 0, assignments = false, stop }: Shape): Wrapper['skip'] {
  return (words) => {
    let at = 0;
    for (; at < words.length; at += 1) {
      const word = words[at];
      if (word === undefined || !word.known || word.glob) return null;
      if (word.text === '--') {
        at += 1;
        break;
      }
      if (stop?.test(word.text) === true) return null;
      if (assignments && /^[A-Za-z_]\w*=/.test(word.text)) continue;
      if (!word.text.startsWith('-') || word.text === '-') break;
      const takes = word.text.startsWith('--') ? long.includes(word.text) : takesNext(word.text, values);
      if (takes) at += 1;
    }
    return words.slice(0, at + operands).every(isOneWord) ? at + operands : null;
  };
}

/** A word that may become several, or none, moves the start of the command. */
function isOneWord({ known, glob }: ExpandedWord): boolean {
  return known && !glob;
}

/** In `-k5` the value is inside the word, in `-vk 5` it is the next word. */
function takesNext(text: string, values: string): boolean {
  const first = text
    .slice(1)
    .split('')
    .findIndex((letter) => values.includes(letter));
  return first >= 0 && first === text.length - 2;
}
