import { posix } from 'node:path';
import { worsen, type Draft } from './draft.ts';
import { isOwn, placeInside } from './paths.ts';
import { same, stay, type Outcome, type State, type Walk } from './walk-state.ts';

/** Where `cd`, `pushd` and `popd` leave the shell; every other command leaves it where it was. */
export function moveFolder(draft: Draft, state: State, walk: Walk): Outcome {
  const name = draft.words[0];
  if (name === undefined || !MOVERS.has(name.text)) return stay(state);
  const lost: State = { ...state, cwds: [], moved: true, stack: null };
  const [target, ...others] = draft.words.slice(1).filter(({ text }) => text !== '--' && text !== '-L');
  const [back, ...stack] = state.stack ?? [];
  if (name.text === 'popd' && target === undefined && back !== undefined)
    return { ok: { ...state, cwds: back, moved: true, stack }, bad: state };
  if (name.text === 'popd' || others.length > 0 || (target === undefined && name.text === 'pushd')) {
    worsen(draft, 'unknown', 'where it goes is not known');
    return { ok: lost, bad: state };
  }
  const to = target?.text ?? walk.pathContext.home;
  if (
    target !== undefined &&
    (!target.known || target.glob || /^[-+]/.test(to) || to === '' || state.cwds.length === 0)
  ) {
    worsen(draft, 'unknown', 'where it goes is not known');
    return { ok: lost, bad: state };
  }
  const cwds = [...new Set(state.cwds.map((cwd) => posix.resolve(cwd, to)))];
  const outside = cwds.find((cwd) => !isOwn(cwd, walk.pathContext));
  if (outside !== undefined) worsen(draft, 'unknown', `goes to ${outside}, outside the workspace`);
  else if (target !== undefined)
    for (const cwd of state.cwds) refuseLinks(draft, placeInside(target, cwd, walk.pathContext));
  const stays = same(cwds, state.cwds) && isPlain(draft, to);
  const pushed = name.text === 'pushd' && state.stack !== null ? [state.cwds, ...state.stack] : state.stack;
  return { ok: { ...state, cwds, moved: state.moved || !stays, stack: pushed }, bad: state };
}

/** Going to the current folder leads to no other repository; going up from a link need not lead back. */
function isPlain({ words }: Draft, to: string): boolean {
  return !to.split('/').includes('..') && !words.some(({ text }) => text.startsWith('-'));
}

/** Commands of the shell itself that change its folder. */
export const MOVERS: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd']);

function refuseLinks(draft: Draft, place: ReturnType<typeof placeInside>): void {
  if ('refused' in place) worsen(draft, 'unknown', place.refused);
}
