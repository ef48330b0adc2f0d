/** How far a clone is; `percent` is null where git does not say. */
export type CopyProgress = { readonly phase: CopyPhase; readonly percent: number | null };
export type CopyPhase = 'connecting' | 'receiving' | 'resolving' | 'writing';

const PHASES: Readonly<Record<string, CopyPhase>> = {
  'Receiving objects': 'receiving',
  'Resolving deltas': 'resolving',
  'Updating files': 'writing',
};

/** Git's own lines only: what the other side says begins with "remote:". */
const SAYS = /^(Receiving objects|Resolving deltas|Updating files): +(\d{1,3})%/;

/** The newest of what git has said; null if that is not about progress. */
export function readProgress(said: string): CopyProgress | null {
  const lines = said.split(/[\r\n]/).toReversed();
  for (const line of lines) {
    const [, words = '', percent] = SAYS.exec(line) ?? [];
    const phase = PHASES[words];
    if (phase !== undefined) return { phase, percent: Math.min(100, Number(percent)) };
  }
  return null;
}

/** What git said besides: of a line that was written over, only what stands at the end. */
export function withoutProgress(said: string): string {
  return said
    .split('\n')
    .map((line) => line.split('\r').findLast((part) => part.trim() !== '') ?? '')
    .filter((line) => !SAYS.test(line) && !/^remote: .*: +\d+(?:%|, done)/.test(line))
    .join('\n');
}
