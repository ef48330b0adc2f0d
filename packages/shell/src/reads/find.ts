import { placeInside, placeToRead } from '../paths.ts';
import type { Call, ReadVerdict } from './arguments.ts';
import { asksForMuch } from './print-formats.ts';

/** Tests and actions of find that only look and print, with the number of words that each takes. */
const FIND_WORDS: Readonly<Record<string, 0 | 1>> = {
  ...words(
    0,
    '! ( ) , -a -and -not -o -or -daystart -depth -d -mount -xdev -noleaf -ignore_readdir_race -empty -executable -false -nogroup -nouser -readable -true -writable -ls -print -print0 -prune -quit',
  ),
  ...words(
    1,
    '-maxdepth -mindepth -regextype -amin -atime -cmin -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -path -perm -regex -size -type -uid -used -user -wholename -xtype -printf -newerat -newerct -newermt',
  ),
};

/** Tests that look at one more file. */
const FIND_FILES: ReadonlySet<string> = new Set(['-newer', '-anewer', '-cnewer', '-samefile']);

/** find [paths] [expression]: a read if every word of the expression is known to only look and print. */
export function findReads(call: Call): ReadVerdict {
  const reads: string[] = [];
  let at = 0;
  let expression = false;
  while (at < call.words.length) {
    const word = call.words[at];
    if (word === undefined) break;
    if (!word.known) return { refused: `${word.text} is only known when it runs` };
    const arity = expression || isExpression(word.text) ? arityOf(word.text) : undefined;
    if (arity !== undefined) {
      const value = call.words[at + 1];
      if (arity === 1 && (value === undefined || !value.known || value.glob))
        return { refused: `what follows ${word.text} is not known` };
      if (word.text === '-printf' && asksForMuch(value?.text ?? '')) return { refused: 'find may print without end' };
      expression = true;
      at += 1 + arity;
    } else if (FIND_FILES.has(word.text) || !isExpression(word.text)) {
      if (expression && !FIND_FILES.has(word.text)) return { refused: `${word.text} is not a test that only looks` };
      const path = FIND_FILES.has(word.text) ? call.words[at + 1] : word;
      if (path === undefined || (path.glob && /^[*?[-]/.test(path.text)))
        return { refused: `${word.text} may stand for an action` };
      for (const cwd of call.cwds) {
        const place = FIND_FILES.has(word.text)
          ? placeInside(path, cwd, call.pathContext)
          : placeToRead(path, cwd, call.pathContext);
        if ('refused' in place) return place;
        reads.push(...place.paths);
      }
      if (FIND_FILES.has(word.text)) expression = true;
      at += FIND_FILES.has(word.text) ? 2 : 1;
    } else return { refused: `${word.text} is not known to only look` };
  }
  return { reads: reads.length === 0 ? call.cwds : reads };
}

/** How many words a test or an action of find takes; undefined: it is none that only looks. */
export function arityOf(text: string): 0 | 1 | undefined {
  return Object.hasOwn(FIND_WORDS, text) ? FIND_WORDS[text] : undefined;
}

/** What begins with a dash, a bracket or an exclamation mark ends the list of paths. */
function isExpression(text: string): boolean {
  return /^(?:-.|[(!,)]$)/.test(text);
}

function words<Arity extends 0 | 1>(arity: Arity, list: string): Record<string, Arity> {
  return Object.fromEntries(list.split(' ').map((word) => [word, arity]));
}
