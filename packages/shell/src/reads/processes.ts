import type { Call, ReadVerdict } from './arguments.ts';

/** The forms of `ps` that list processes, and not what their environments hold. */
export function psReads({ words }: Call): ReadVerdict {
  const text = words.map((word) => word.text).join(' ');
  const isKnown = words.every(({ known, glob }) => known && !glob);
  return isKnown && FORMS.test(text)
    ? { reads: [] }
    : { refused: 'this form of ps is not known to list processes only' };
}

const FIELD =
  '(?:pid|ppid|pgid|sid|sess|tid|lwp|nlwp|psr|user|euser|ruser|uname|group|uid|comm|ucmd|args|cmd|command|%cpu|%mem|pcpu|pmem|c|rss|rsz|sz|vsz|etime|etimes|time|cputime|stat|state|s|tty|tt|tname|start|stime|lstart|ni|pri|wchan)';
const FIELDS = `${FIELD}(?:=\\w*)?(?:,${FIELD}(?:=\\w*)?)*`;

/** Without a dash, or with a dash and a letter that has no meaning there, `e` shows environments; after other dashes it means all. */
const CHOICE = '(?:-?[aufxljwT]+|-[AaefFlLHwyjdT]+)';
const FURTHER = [
  '--forest',
  '--no-headers?',
  `--sort[= ][-+]?${FIELD}(?:,[-+]?${FIELD})*`,
  `-[eA]*o ?${FIELDS}`,
  `-?[ax]+o ?${FIELDS}`,
  '-o (?:%[CGPUacgnprtuxyz]|[ :])+',
  '-(?:p|q|-pid|-ppid) ?\\d+(?:,\\d+)*',
  '-[uUC] [\\w.,-]+',
].join('|');
const FORMS = new RegExp(`^(?:(?:${CHOICE}|${FURTHER})(?: (?:-[AaefFlLHwyjdT]+|${FURTHER}))*)?$`);
