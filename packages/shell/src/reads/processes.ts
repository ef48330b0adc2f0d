import type { Call, ReadVerdict } from './arguments.ts';

/** The forms of `ps` that list processes; `e` without a dash would show what their environments hold. */
export function psReads({ words }: Call): ReadVerdict {
  const text = words.map((word) => word.text).join(' ');
  const isKnown = words.every(({ known, glob }) => known && !glob);
  return isKnown && FORMS.test(text)
    ? { reads: [] }
    : { refused: 'this form of ps is not known to list processes only' };
}

const FIELDS =
  '(?:pid|ppid|user|uid|comm|args|cmd|command|%cpu|%mem|pcpu|pmem|rss|vsz|etime|time|stat|state|tty|start|lstart|ni|pri)';
const FORMS = new RegExp(
  `^(?:aux|ax|aux --sort=-?${FIELDS}|-[eAf]+|-[eA]*o ?${FIELDS}(?:,${FIELDS})*(?: --sort=-?${FIELDS})?|-p \\d+(?: -o ${FIELDS}(?:,${FIELDS})*)?|)$`,
);
