import { lineDifference } from '@attractor/patch';

/** How one file changed since it was trusted; `lines` are marked `+`, `-` or ` `, with unchanged stretches left out. */
export type FileDifference = {
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly lines: ReadonlyArray<string>;
};

type Texts = ReadonlyMap<string, string>;

export function differenceOf(before: Texts, after: Texts): ReadonlyArray<FileDifference> {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return names.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === now) return [];
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return [{ path, change, lines: lineDifference(linesOf(old), linesOf(now)) } as const];
  });
}

function linesOf(text = ''): ReadonlyArray<string> {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
