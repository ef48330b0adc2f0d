import { parse } from 'unbash';
import type { Draft } from './draft.ts';
import type { State, Walk } from './walk-state.ts';

/**
 * Text that one command feeds to the next, which runs it: `echo 'rm x' | sh`, `bash <<< 'rm x'`, `find / | xargs rm`. It is parsed as the
 * commands that it becomes, to find those that must be denied.
 */
export function walkFedText(
  given: { readonly text: string | null; readonly from: ReadonlyArray<Draft> },
  takers: ReadonlyArray<Draft>,
  { state, walk }: { readonly state: State; readonly walk: Walk },
): void {
  const running = takers.filter(runsText);
  if (running.length === 0) return;
  const text = given.text ?? given.from.map(printed).findLast((one) => one !== null) ?? null;
  const script = running.map((taker) => scriptOf(taker, text, given.from)).find((one) => one !== null);
  if (script === undefined || script === null || script.length > MOST) return;
  const inner: State = { ...state, via: 'a pipe', depth: state.depth + 1 };
  walk.into.script(parse(script), inner, { ...walk, source: script, problems: [] });
}

const MOST = 4_000;
const RUNNERS = /^(?:at|batch|(?:ba|z|da|k|mk|a|fi)?sh)$/;

/** Few commands run what they are given; the text is looked for only then. */
function runsText(taker: Draft): boolean {
  return taker.via !== null || RUNNERS.test(baseName(taker));
}

function scriptOf(taker: Draft, text: string | null, from: ReadonlyArray<Draft>): string | null {
  const name = baseName(taker);
  if (text !== null && RUNNERS.test(name) && (taker.facts.interprets || name === 'at' || name === 'batch')) return text;
  if (taker.via === null || !/(?:^| )(?:xargs|parallel)$/.test(taker.via)) return null;
  const command = taker.words.map((word) => word.text).join(' ');
  if (text !== null) return `${command} ${text}`;
  const lister = from.find((draft) => LISTERS.has(baseName(draft)));
  const paths = lister?.words.slice(1).map((word) => word.text) ?? [];
  if (lister === undefined || paths.length === 0) return null;
  const until = paths.findIndex((path) => /^[-(!]/.test(path));
  return baseName(lister) === 'find'
    ? `find ${paths.slice(0, until < 0 ? undefined : until).join(' ')} -exec ${command} {} +`
    : `${command} ${paths.filter((path) => !path.startsWith('-')).join(' ')}`;
}

const LISTERS: ReadonlySet<string> = new Set(['find', 'ls']);

/** What `echo` or `printf` prints, if its words are known. */
function printed({ words }: Draft): string | null {
  const [name, ...rest] = words;
  if (name === undefined || !/^(?:echo|printf)$/.test(name.text) || !rest.every(({ known }) => known)) return null;
  return rest
    .filter(({ text }) => !/^-[neE]+$/.test(text))
    .map(({ text }) => text.replaceAll(/\\n/g, '\n'))
    .join(' ');
}

function baseName({ words }: Draft): string {
  const name = words[0]?.text ?? '';
  return name.slice(name.lastIndexOf('/') + 1);
}
