import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { isProtectedName } from '../containment/path-rules.ts';
import { isInside } from '../containment/resolve.ts';
import { gitFileLeads } from './git-file.ts';
import { foldersOf, type GitFolder, harmIn, isJudged, isKept } from './git-harm.ts';
import { type Change, createState, type GuardOptions, type State } from './guard-state.ts';
import { type Aside, putAside } from './put-aside.ts';
import { isLookedInto, isObeyed, lookAt, type Named, namedAt, type Survey, surveyFolders } from './survey.ts';

/**
 * Watches, while commands run, for files that programs outside would obey and that no mount can hold off because nothing is there yet.
 * One that appears is put aside at that moment, again when a command ends, and by the next process if this one is killed. What was there
 * before is left alone. A repository that a command makes is its own, as long as nothing in it names a program.
 */
export type Guard = {
  /** What is there now, for mounts. Before `begin`. */
  readonly survey: () => Survey;
  /** A command starts. `gits`: folders of git's that it may write to, with what mounts hold. */
  readonly begin: (gits: ReadonlyArray<GitFolder>, named: () => ReadonlyArray<string>) => void;
  readonly end: () => void;
  /** True for a repository that a command made here. */
  readonly isOwn: (git: string) => boolean;
  /** What was put aside since this was asked last, once every change so far has been looked at. */
  readonly refused: () => Promise<ReadonlyArray<Aside>>;
  /** Called where a command makes the same thing again and again. */
  readonly onStubborn: (stop: () => void) => () => void;
  /** The host itself is about to make a folder, or files in it: they are left alone. The answer is called once they are there. */
  readonly admit: (folder: string) => () => void;
  readonly close: () => void;
};

/** Changes of ordinary names: one may be a folder that is new. The first is looked at at once, those within this time after it together. */
const BATCH_MS = 4;
const LOOK_AGAIN_MS = 30_000;
/** How often all is looked at whose changes the kernel may not have told: it drops some when there are too many. */
const SWEEP_MS = 1_000;
const LAST_LOOK_MS = 250;
/** More than that in one go is not an accident. */
const STUBBORN = 24;

export function createGuard(options: GuardOptions): Guard {
  const on = createState(options, onChange);
  let surveyedAt = -Infinity;
  const survey = (): Survey => {
    settle(on);
    if (on.holders > 0) sweep(on);
    else if (performance.now() - surveyedAt > LOOK_AGAIN_MS) {
      takeAll(on, surveyFolders(options.roots));
      surveyedAt = performance.now();
    } else for (const folder of new Set([...options.roots, ...on.changed])) takeFolder(on, folder);
    on.changed.clear();
    return on;
  };
  return {
    survey,
    begin: (gits, named) => {
      on.count = 0;
      if (on.holders++ === 0) start(on, gits, named);
      else takeNamed(on);
    },
    end: () => {
      sweep(on);
      on.holders -= 1;
      on.onBeat();
      if (on.holders === 0) clearInterval(on.timer);
      // What a killed command leaves is being ended at this moment, and may act until it is.
      on.isSettling = true;
      clearTimeout(on.settling);
      on.settling = setTimeout(() => settle(on), LAST_LOOK_MS).unref();
    },
    isOwn: (git) => on.own.has(git),
    refused: async () => {
      await wholeTurn();
      lookAtChanged(on);
      return on.refused.splice(0);
    },
    onStubborn: (stop) => {
      on.stops.add(stop);
      return () => void on.stops.delete(stop);
    },
    admit: (folder) => admit(on, folder),
    close: () => {
      settle(on);
      clearInterval(on.timer);
      clearTimeout(on.settling);
      clearTimeout(on.batch);
      on.watches.close();
    },
  };
}

function admit(on: State, folder: string): () => void {
  on.admitted.add(folder);
  return () => {
    on.admitted.delete(folder);
    const named = namedAt(folder);
    if (named === null) return;
    if (isProtectedName(path.basename(folder))) return void on.names.set(folder, named);
    for (const [at, there] of surveyFolders([folder]).names) on.names.set(at, there);
  };
}

/** Changes that the kernel has told of by now are with us afterwards. */
async function wholeTurn(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function settle(on: State): void {
  if (!on.isSettling) return;
  sweep(on);
  on.isSettling = false;
}

function takeAll(on: State, { folders, names, bare }: Survey): void {
  on.folders = new Set(folders);
  on.names = new Map(names);
  on.bare = new Set(bare);
}

/** What is right in this folder, and in folders that are new in it. */
function takeFolder(on: State, folder: string): void {
  const { found, below, isBare } = lookAt(folder);
  for (const at of on.names.keys()) if (path.dirname(at) === folder) on.names.delete(at);
  for (const [at, named] of found) on.names.set(at, named);
  if (isBare) on.bare.add(folder);
  const fresh = surveyFolders(isBare ? [] : below.filter((at) => !on.folders.has(at) || on.watches.isStale(at)));
  for (const at of fresh.folders) on.folders.add(at);
  for (const [at, named] of fresh.names) on.names.set(at, named);
  for (const at of fresh.bare) on.bare.add(at);
}

/** A setting may come to name something while commands run. */
function takeNamed(on: State): void {
  for (const at of on.askNamed()) if (!on.names.has(at)) on.named.take(at);
}

function start(on: State, gits: ReadonlyArray<GitFolder>, named: () => ReadonlyArray<string>): void {
  on.gits.clear();
  on.knownHarm.clear();
  on.named.clear();
  on.askNamed = named;
  takeNamed(on);
  for (const git of gits) {
    for (const folder of foldersOf(git)) on.gits.set(folder, git);
    if (!git.isOwn) for (const at of harmIn(git, on.roots)) on.knownHarm.add(at);
  }
  const watched = new Set([...on.folders, ...on.gits.keys()]);
  on.watches.keepOnly(watched);
  for (const folder of [...on.gits.keys(), ...on.folders]) on.watches.add(folder);
  on.onKnown({
    names: [...on.names.keys()],
    harm: [...on.knownHarm],
    gits: gits.map(({ at, fixed }) => ({ at, fixed: [...fixed] })),
    named: on.named.absent(),
  });
  on.timer = setInterval(() => {
    on.onBeat();
    sweep(on);
  }, SWEEP_MS).unref();
}

function onChange(on: State, { folder, kind, name }: Change): void {
  const git = on.gits.get(folder);
  const at = path.join(folder, name ?? '');
  if (on.holders === 0 && !on.isSettling) {
    // A person's own: it is known when the next command starts.
    if (git === undefined && kind === 'rename') on.changed.add(folder);
  } else if (git !== undefined) {
    if (isJudged(git, at)) checkGit(on, git);
    else lookLater(on, folder);
  } else if (name === null) checkFolder(on, folder);
  else if (isObeyed(folder, name, on.homes) || on.named.has(at)) checkName(on, at);
  else if (kind === 'rename' || on.watches.isShut(at)) lookLater(on, folder);
}

function lookLater(on: State, folder: string): void {
  on.changed.add(folder);
  if (on.batch !== undefined) return;
  const left = BATCH_MS - (performance.now() - on.lookedAt);
  if (left <= 0) lookAtChanged(on);
  else on.batch = setTimeout(() => lookAtChanged(on), left).unref();
}

function lookAtChanged(on: State): void {
  clearTimeout(on.batch);
  Object.assign(on, { batch: undefined, lookedAt: performance.now() });
  const changed = [...on.changed];
  on.changed.clear();
  for (const folder of changed) {
    const git = on.gits.get(folder);
    if (git === undefined) checkFolder(on, folder);
    else checkGit(on, git);
  }
}

/** Everything whose changes may not have been told of. */
function sweep(on: State): void {
  takeNamed(on);
  lookAtChanged(on);
  for (const root of on.roots) checkFolder(on, root);
  for (const git of new Set(on.gits.values())) checkGit(on, git);
  for (const [at, { link }] of on.names) if (link !== null) checkName(on, at);
  for (const at of on.named.all()) checkName(on, at);
}

/** What is in a folder, and in folders below it that are new. */
function checkFolder(on: State, folder: string): void {
  const { found, below, isBare } = lookAt(folder);
  for (const [at] of found) if (isObeyed(folder, path.basename(at), on.homes)) checkName(on, at);
  if (isBare && !on.bare.has(folder)) adopt(on, folder);
  for (const at of on.named.all()) if (path.dirname(at) === folder) checkName(on, at);
  for (const at of below) {
    if (on.folders.has(at) && on.watches.has(at)) continue;
    if (isLookedInto(path.basename(at)) && on.watches.add(at)) {
      on.folders.add(at);
      checkFolder(on, at);
    }
  }
}

function checkName(on: State, at: string): void {
  const [now, before] = [namedAt(at), on.names.get(at) ?? on.named.before(at)];
  if (on.named.isAsBefore(at) || (now !== null && now.file === before?.file && now.link === before.link)) return;
  if (now !== null && (isAllowed(on, at) || wasMoved(on, now))) return void on.names.set(at, now);
  if (path.basename(at) === '.git' && now?.link === null && isHarmlessGit(on, at)) return;
  if (now !== null) refuse(on, at);
  if (typeof before?.link === 'string') putBack(on, at, before.link);
}

/** Its folder was renamed: nothing in it is new. What is still at its old place was copied, and a link is no file that could have moved here. */
function wasMoved(on: State, { file, link }: Named): boolean {
  if (link !== null) return false;
  return [...on.names].some(([at, named]) => named.link === null && named.file === file && namedAt(at)?.file !== file);
}

/** A repository or a worktree that a command just made. */
function isHarmlessGit(on: State, at: string): boolean {
  const led = gitFileLeads(at);
  if (led === 'folder') adopt(on, at);
  else if (led !== null) on.gitFiles.add(at);
  return isWellLed(on, led);
}

function isWellLed({ roots, gits }: State, led: string | null): boolean {
  return led === 'folder' || led === 'empty' || (led !== null && isKept(led, new Set(gits.values()), roots));
}

function adopt(on: State, at: string): void {
  const git: GitFolder = on.gits.get(at) ?? { at, isOwn: true, fixed: new Set() };
  if (git.isOwn) on.own.add(at);
  checkGit(on, git);
}

function checkGit(on: State, git: GitFolder): void {
  refuseHarm(on, git);
  const fresh = foldersOf(git).filter((folder) => !on.gits.has(folder) || !on.watches.has(folder));
  for (const folder of fresh) on.gits.set(folder, git);
  // What came into a folder before it was watched.
  if (fresh.filter((folder) => on.watches.add(folder)).length > 0) refuseHarm(on, git);
}

function refuseHarm(on: State, git: GitFolder): void {
  for (const at of harmIn(git, on.roots))
    if (!on.knownHarm.has(at) && !on.asides.has(at) && !isAllowed(on, at)) refuse(on, at);
  // What they lead to was not all there when they were made.
  for (const at of on.gitFiles) if (!isWellLed(on, gitFileLeads(at))) refuse(on, at);
}

function isAllowed(on: State, at: string): boolean {
  return [...on.allowed, ...on.admitted].some((folder) => isInside(folder, at));
}

function refuse(on: State, at: string): void {
  const root = [...on.roots, ...[...on.gits.values()].map((git) => git.at)].find((folder) => isInside(folder, at));
  const aside = putAside(root ?? path.dirname(at), at);
  if (aside === null) return;
  on.refused.push(aside);
  if (aside.now !== null) on.asides.add(aside.now);
  if (++on.count >= STUBBORN) for (const stop of on.stops) stop();
}

function putBack(on: State, at: string, link: string): void {
  try {
    symlinkSync(link, at);
    const named = namedAt(at);
    if (named?.link === link) on.names.set(at, named);
  } catch {
    // A command was faster, and what it made is in the way: it is told as a change, and looked at again.
  }
}
