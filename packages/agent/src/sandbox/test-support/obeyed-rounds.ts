import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { until } from '@attractor/base/testing';
import type { TestContext } from 'vitest';
import {
  type HooksPlace,
  layTraps,
  makeThing,
  type ObeyedThing,
  prepareObedience,
  THINGS,
  WAY_NAMES,
  type WayName,
} from './obeyed-things.ts';
import { sandboxWorld, type SandboxWorld } from './sandbox-world.ts';

export type Made = { readonly thing: ObeyedThing; readonly way: WayName };

/** Rounds in one world: in each a command makes things, and a person's programs look meanwhile. Returns what went wrong. */
export type ObeyedRounds = {
  readonly round: (made: ReadonlyArray<Made>, first: string) => Promise<ReadonlyArray<unknown>>;
  readonly close: () => Promise<void>;
};

/** One thing of each zone, in a folder of this round's own where it may be anywhere, each made in some way. */
export function drawRound(number: number, hooks: HooksPlace, roll: (sides: number) => number): ReadonlyArray<Made> {
  const zones = Map.groupBy(
    THINGS.filter(({ zone, at }) => zone !== 'hooks' || at.startsWith(hooks)),
    ({ zone }) => zone,
  );
  return [...zones.values()].flatMap((things) => {
    const [thing, way] = [things[roll(things.length)], WAY_NAMES[roll(WAY_NAMES.length)]];
    if (thing === undefined || way === undefined) return [];
    return [{ thing: roll(4) === 0 ? thing : inFolder(thing, `r${number}`), way }];
  });
}

/** Words that put something else where git has a folder of its own, and nothing is made: a file, a link that leads nowhere, a shut folder. */
export function drawObstacle(made: ReadonlyArray<Made>, roll: (sides: number) => number): string {
  const free = OBSTRUCTED.filter((name) => !made.some(({ thing }) => thing.at.startsWith(`.git/${name}/`)));
  const at = `.git/${free[roll(free.length)]}`;
  const ways = [`: > ${at}`, `ln -s nowhere ${at}`, `mkdir ${at}; chmod 000 ${at}`, `mkdir ${at}; chmod 300 ${at}`];
  return `{ ${ways[roll(ways.length)]}; } 2>/dev/null`;
}

const OBSTRUCTED = ['rebase-merge', 'rebase-apply', 'sequencer', 'worktrees', 'modules', 'remotes', 'info', 'hooks'];

function inFolder(thing: ObeyedThing, folder: string): ObeyedThing {
  if (thing.at.startsWith('.git/') || thing.named === true) return thing;
  const place = (name: string): string => path.join(folder, name);
  return {
    ...thing,
    at: place(thing.at),
    ...(thing.setUp === undefined ? {} : { setUp: `mkdir -p ${folder}; ${thing.setUp.replace(/\S+$/, place)}` }),
    ...(thing.in === undefined ? {} : { in: place(thing.in) }),
  };
}

export async function openRounds(context: Pick<TestContext, 'skip'>, hooks: HooksPlace): Promise<ObeyedRounds> {
  const world = await sandboxWorld(context);
  const isMarked = layTraps(world);
  prepareObedience(world.root, hooks);
  const contents = writeContents(world);
  const before = { top: namesIn(world.root), git: namesIn(path.join(world.root, '.git')) };
  await world.run('true');
  let rounds = 0;
  return {
    round: async (made, first) => {
      const found = await makeAll(world, made, {
        first,
        contents,
        isMarked,
        look: LOOKS[rounds++ % LOOKS.length] ?? [],
      });
      removeNew(world.root, before.top);
      removeNew(path.join(world.root, '.git'), before.git);
      rmSync(path.join(world.root, '.git/objects/info'), { recursive: true, force: true });
      rmSync(path.join(world.top, 'MARK'), { force: true });
      return found;
    },
    close: async () => {
      await world.environment.cleanup();
      await world.sandbox.close();
      rmSync(world.top, { recursive: true, force: true });
    },
  };
}

/** What a person's git does meanwhile: it looks, shows, or writes its index anew. */
const LOOKS = [['status'], ['update-index', '--refresh'], ['log', '-1', '-p']];
const LONGEST_MS = 120_000;

type Around = {
  readonly first: string;
  readonly contents: ReadonlyMap<string, string>;
  readonly isMarked: () => boolean;
  readonly look: ReadonlyArray<string>;
};

async function makeAll(
  world: SandboxWorld,
  made: ReadonlyArray<Made>,
  around: Around,
): Promise<ReadonlyArray<unknown>> {
  const { root, environment } = world;
  const found: unknown[] = [];
  const words = made.map(
    ({ thing, way }, count) =>
      `{ ${makeThing(thing, way, { count, content: around.contents.get(thing.text) ?? '' })}; }`,
  );
  let isOver = false;
  const waits = 'touch made; until [ -e go ]; do sleep 0.05; done; rm -f go made';
  const running = environment
    .execCommand(`${[around.first, ...words, waits].join('\n')}`, LONGEST_MS)
    .finally(() => (isOver = true));
  await until(() => isOver || existsSync(path.join(root, 'made')));
  const left = (): ReadonlyArray<Made> => made.filter(({ thing }) => isThere(world, thing));
  await until(() => isOver || left().length === 0);
  if (left().length > 0) found.push({ left: left().map(named) });
  lookOutside(root, made, around.look);
  if (around.isMarked()) found.push({ obeyed: made.map(named) });
  writeFileSync(path.join(root, 'go'), '');
  const { stderr, exitCode } = await running;
  const isTold = made.some(({ thing }) => stderr.includes(path.basename(thing.at)));
  if (!isTold || exitCode !== 0) found.push({ silent: made.map(named), stderr, exitCode });
  return found;
}

const named = ({ thing, way }: Made): string => `${thing.at}, ${way}`;

/** A harmless file of git's own may be there under that name. */
function isThere({ top, root }: SandboxWorld, { at, text }: ObeyedThing): boolean {
  const file = path.join(root, at);
  const kind = lstatSync(file, { throwIfNoEntry: false });
  return kind !== undefined && (kind.isSymbolicLink() || readFileSync(file, 'utf8') === text.replaceAll('%', top));
}

/** What a person's programs do meanwhile. */
export function lookOutside(
  root: string,
  made: ReadonlyArray<Pick<Made, 'thing'>>,
  words: ReadonlyArray<string>,
): void {
  // So that git writes its index anew.
  utimesSync(path.join(root, 'a.txt'), new Date(0), new Date(0));
  for (const folder of new Set(made.flatMap(({ thing }) => thing.in ?? [])))
    spawnSync('git', words, { cwd: path.join(root, folder), stdio: 'ignore' });
}

/** A file for each text, under plain names in the workspace: to have one costs a command nothing. */
export function writeContents({ top, root }: Pick<SandboxWorld, 'top' | 'root'>): ReadonlyMap<string, string> {
  mkdirSync(path.join(root, 'contents'));
  return new Map(
    [...new Set(THINGS.map(({ text }) => text))].map((text, at) => {
      const file = path.join(root, `contents/${at}`);
      writeFileSync(file, text.replaceAll('%', top));
      chmodSync(file, 0o755);
      return [text, file];
    }),
  );
}

function namesIn(folder: string): ReadonlySet<string> {
  return new Set(readdirSync(folder));
}

function removeNew(folder: string, before: ReadonlySet<string>): void {
  for (const name of readdirSync(folder))
    if (!before.has(name)) rmSync(path.join(folder, name), { recursive: true, force: true });
}
