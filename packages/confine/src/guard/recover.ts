import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInside } from '../containment/resolve.ts';
import { gitFileLeads } from './git-file.ts';
import { harmIn } from './git-harm.ts';
import { type Aside, putAside } from './put-aside.ts';
import { type LeftRecord, leftRecords, type RecordPlace } from './record.ts';
import { isObeyed, surveyFolders } from './survey.ts';

/** Puts aside what the last commands of killed processes made in these roots, as they would have themselves. */
export function recoverRoots(place: Omit<RecordPlace, 'own'>, homes: ReadonlyArray<string>): ReadonlyArray<Aside> {
  return leftRecords(place).flatMap((left) => {
    const asides = left.roots.flatMap((root) => recoverRoot(root, left, homes));
    if (left.own?.startsWith(path.join(tmpdir(), 'attractor-sandbox-')) === true)
      rmSync(left.own, { recursive: true, force: true });
    left.remove();
    return asides;
  });
}

function recoverRoot(root: string, left: LeftRecord, homes: ReadonlyArray<string>): ReadonlyArray<Aside> {
  const known = new Set([...left.names, ...left.harm]);
  const { names, bare } = surveyFolders([root]);
  const made = [...names.keys()].filter((at) => !known.has(at) && left.isOfThen(at));
  const repositories = [
    ...made.filter((at) => path.basename(at) === '.git' && gitFileLeads(at) === 'folder'),
    ...bare,
  ].filter((at) => !left.gits.some((git) => git.at === at));
  const gits = [
    ...left.gits.map(({ at, fixed }) => ({ at, isOwn: false, fixed: new Set(fixed) })),
    ...repositories.map((at) => ({ at, isOwn: true, fixed: new Set<string>() })),
  ];
  const harm = [
    ...made.filter((at) => !repositories.includes(at) && isObeyed(path.dirname(at), path.basename(at), homes)),
    ...left.named.filter(left.isOfThen),
    ...gits.flatMap((git) => harmIn(git, left.roots)).filter((at) => !known.has(at) && left.isOfThen(at)),
  ];
  return harm.flatMap(
    (at) =>
      putAside([root, ...left.gits.map((git) => git.at)].find((folder) => isInside(folder, at)) ?? root, at) ?? [],
  );
}
