/** What the files of one history should be, derived from what was done and by whom, without git. */

/** Names to what `contents` says of them: permission bits and bytes, or `link` and target. */
export type Tree = ReadonlyMap<string, string>;

export type Edit =
  | { readonly kind: 'write'; readonly name: string; readonly content: string; readonly mode: number }
  | { readonly kind: 'link'; readonly name: string; readonly to: string }
  | { readonly kind: 'rename'; readonly name: string; readonly to: string }
  | { readonly kind: 'chmod'; readonly name: string; readonly mode: number }
  | { readonly kind: 'delete'; readonly name: string }
  | { readonly kind: 'folder'; readonly name: string };

export type ModelMoment = { readonly id: string; readonly by: 'agent' | 'person' | 'ours'; readonly tree: Tree };

/** False for an edit that is impossible in this state; it is then not made at all. */
export function isPossible(tree: Tree, edit: Edit): boolean {
  const current = tree.get(edit.name);
  if (edit.kind === 'chmod') return current !== undefined && !current.startsWith('link');
  if (edit.kind === 'rename') {
    return current !== undefined && !edit.to.startsWith(`${edit.name}/`) && !edit.name.startsWith(edit.to);
  }
  if (edit.kind === 'folder') return isFree(tree, edit.name) && current === undefined;
  return edit.kind !== 'delete' || current !== undefined || [...tree.keys()].some((one) => isBelow(one, edit.name));
}

export function edited(tree: Tree, edit: Edit): Tree {
  const next = new Map(tree);
  const place = (name: string, value: string): void => {
    for (const one of tree.keys()) if (isBelow(one, name) || isBelow(name, one)) next.delete(one);
    next.set(name, value);
  };
  const current = tree.get(edit.name) ?? '';
  if (edit.kind === 'write')
    place(edit.name, `${edit.mode.toString(8)} ${Buffer.from(edit.content).toString('latin1')}`);
  if (edit.kind === 'link') place(edit.name, `link ${edit.to}`);
  if (edit.kind === 'chmod') next.set(edit.name, `${edit.mode.toString(8)} ${current.slice(current.indexOf(' ') + 1)}`);
  if (edit.kind === 'rename') {
    next.delete(edit.name);
    place(edit.to, current);
  }
  if (edit.kind === 'delete') {
    for (const one of tree.keys()) if (one === edit.name || isBelow(one, edit.name)) next.delete(one);
  }
  return next;
}

export type Expected = { readonly tree: Tree; readonly kept: ReadonlySet<string> };

/** Every file as at the target, or as the person last made it since, unless something that stays has its place. */
export function rewound(moments: ReadonlyArray<ModelMoment>, target: number): Expected {
  const now = moments.at(-1)?.tree ?? new Map<string, string>();
  const at = moments[target]?.tree ?? new Map<string, string>();
  const names = new Set(moments.slice(target).flatMap(({ tree }) => [...tree.keys()]));
  const wanted = new Map<string, string | undefined>();
  const persons = new Set<string>();
  const kept = new Set<string>();
  for (const name of names) {
    const change = moments.findLast(
      ({ by, tree }, index) =>
        index > target && by === 'person' && tree.get(name) !== moments[index - 1]?.tree.get(name),
    );
    wanted.set(name, (change?.tree ?? at).get(name));
    if (change === undefined) continue;
    persons.add(name);
    if (change.tree.get(name) !== at.get(name)) kept.add(name);
  }
  const stays = [...now.keys()].filter((name) => wanted.get(name) !== undefined);
  const writes = [...names].filter((name) => wanted.get(name) !== undefined && wanted.get(name) !== now.get(name));
  const isTaken = (name: string): boolean =>
    stays.some((one) => isBelow(one, name) || isBelow(name, one)) ||
    writes.some((one) => (isBelow(name, one) ? !isWeaker(one, name) : isBelow(one, name) && isWeaker(name, one)));
  const isWeaker = (outer: string, inner: string): boolean => !persons.has(outer) && persons.has(inner);
  const tree = new Map<string, string>();
  for (const name of names) {
    const value = wanted.get(name);
    const blocked = writes.includes(name) && isTaken(name);
    if (blocked) kept.add(name);
    const final = blocked ? now.get(name) : value;
    if (final !== undefined) tree.set(name, final);
  }
  return { tree, kept };
}

function isFree(tree: Tree, name: string): boolean {
  return ![...tree.keys()].some((one) => isBelow(name, one));
}

function isBelow(name: string, folder: string): boolean {
  return name.startsWith(`${folder}/`);
}
