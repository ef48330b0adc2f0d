import { posix } from 'node:path';
import type { Redirection } from 'unbash';
import { kernelPath } from './kernel-path.ts';
import { placeToRead, type PathContext } from './paths.ts';
import { expandParts, expandWord, type Scope, type ExpandedWord } from './words.ts';

/** What a redirection opens. `descriptor`: only joins or closes streams; `nothing`: /dev/null or given text. */
export type Opened =
  | { readonly kind: 'descriptor' | 'nothing' }
  | {
      readonly kind: 'read';
      readonly word: ExpandedWord;
      readonly refused: string | null;
      readonly guarded: string | null;
    }
  | { readonly kind: 'write'; readonly word: ExpandedWord }
  | { readonly kind: 'unknown'; readonly word: ExpandedWord };

export function openRedirection(
  redirection: Redirection,
  scope: Scope,
  cwds: ReadonlyArray<string>,
  pathContext: PathContext,
): Opened {
  if (redirection.type === 'HereDoc' && redirection.closing === undefined)
    return { kind: 'unknown', word: noWord('<<') };
  if (redirection.type === 'HereDoc' && redirection.body.text.includes('$['))
    return { kind: 'unknown', word: noWord('$[') };
  if (redirection.type === 'HereDoc') return openText(expandParts(redirection.body.parts ?? [], scope));
  const target = redirection.target;
  const words = target === undefined ? [] : expandWord(target, scope);
  const word = words[0];
  if (target === undefined || word === undefined || words.length > 1)
    return { kind: 'unknown', word: noWord(target?.text) };
  if (redirection.type === 'HereString')
    return word.inert === true && word.shape !== undefined && word.shape !== 'pipe'
      ? { kind: 'nothing' }
      : openText(word);
  if (redirection.descriptor?.type === 'FileDescriptorVariable') return { kind: 'unknown', word };
  const joins = redirection.operator === '>&' || redirection.operator === '<&';
  if (joins && word.known && word.plain && /^(?:\d+-?|-)$/.test(word.text)) return { kind: 'descriptor' };
  if (redirection.operator === '<&') return { kind: 'unknown', word };
  if (redirection.operator !== '<')
    return word.known && word.text === '/dev/null' ? { kind: 'nothing' } : { kind: 'write', word };
  if (word.glob) return { kind: 'unknown', word };
  const places = cwds.map((cwd) => placeToRead(word, cwd, pathContext));
  const refused = places.flatMap((place) => ('refused' in place ? [place] : []))[0];
  const unplaced = cwds.length === 0 ? 'where it runs is not known' : null;
  // Of several folders that it may run in, each could lead elsewhere.
  const guarded = cwds.length === 1 ? (refused?.guarded ?? null) : null;
  return { kind: 'read', word, refused: refused?.refused ?? unplaced, guarded };
}

/** Whether one of them is read as input. */
export function givesInput(redirections: ReadonlyArray<Redirection>): boolean {
  return redirections.some(({ operator }) => operator.startsWith('<') && operator !== '<&');
}

/** Given text is harmless, unless a piece of it is looked up or evaluated. */
function openText(word: ExpandedWord): Opened {
  return word.known || word.harmless ? { kind: 'nothing' } : { kind: 'unknown', word };
}

/** The absolute path of a word, if that is known. */
export function absolutePath(
  word: ExpandedWord,
  cwds: ReadonlyArray<string>,
  { disk }: Pick<PathContext, 'disk'>,
): string | null {
  const [cwd, ...others] = cwds;
  if (!word.known || word.glob) return null;
  if (posix.isAbsolute(word.text)) return kernelPath(word.text, '/', disk);
  return cwd === undefined || others.length > 0 ? null : kernelPath(word.text, cwd, disk);
}

function noWord(text: string | undefined): ExpandedWord {
  return { text: text ?? '', known: false, harmless: false, glob: false, plain: false };
}
