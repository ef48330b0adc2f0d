import { isOwnName } from '../bindings.ts';
import type { Call, ReadVerdict } from './arguments.ts';

/** What `set` turns on and off without giving words another meaning: how a script ends and what it prints on the way. */
export function setReads({ words }: Call): ReadVerdict {
  const isKnown = words.every(({ known, glob }) => known && !glob);
  const text = words.map((word) => word.text).join(' ');
  return isKnown && SETTINGS.test(text) ? { reads: [] } : { refused: 'set changes what later words mean' };
}

const SETTINGS = /^(?:[-+](?:[euxvC]+|[euxvC]*o (?:pipefail|errexit|nounset|xtrace|verbose|noclobber))(?: |$))+$/;

/** `… | tee /dev/null` keeps nothing. */
export function teeReads({ words, fed }: Call): ReadVerdict {
  if (!fed) return { refused: 'tee waits for input' };
  const isNowhere = words.every(({ text, known, glob }) => known && !glob && /^(?:-a|\/dev\/null)$/.test(text));
  return isNowhere ? { reads: [] } : { refused: 'tee writes what it is given' };
}

/** `read -r line`: puts a line of its input into variables of the script. Without input it waits. */
export function readReads({ words, fed }: Call): ReadVerdict {
  if (!fed) return { refused: 'read waits for input' };
  const names = namesOfRead(words);
  return names === null
    ? { refused: 'read sets a variable that programs obey, or has an unknown option' }
    : { reads: [] };
}

/** The variables that `read` sets; null where that is not known. */
export function namesOfRead(words: Call['words']): ReadonlyArray<string> | null {
  if (words.some(({ known, glob }) => !known || glob)) return null;
  const names = words.filter(({ text }) => text !== '-r').map(({ text }) => text);
  return names.every((name) => /^\w+$/.test(name) && isOwnName(name)) ? names : null;
}
