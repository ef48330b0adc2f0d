import type { Criterion, Deviation, Plan } from '@attractor/store';
import { dependencyName, planEntries, type PlanEntry, type PlanItem } from './plan-items.ts';
import type { Stage } from './stages.ts';

/** What the server sees of the work on a branch. */
export type WorkSeen = {
  /** Over the base, by path: `A` added, `M` changed, `D` deleted. */
  readonly files: ReadonlyMap<string, string>;
  /** The lines that the change adds. */
  readonly added: string;
  readonly commands: ReadonlyArray<RunCommand>;
  /** What the agent claims of entries that only it can show, by their number. */
  readonly claims: ReadonlyMap<number, Pick<Criterion, 'state' | 'detail'>>;
};

/** `isNoted`: whether it is worth telling that it was not planned. `refused`: a person did not allow it. */
export type RunCommand = {
  readonly command: string;
  readonly failed: boolean;
  readonly refused: boolean;
  readonly isNoted: boolean;
};

export type JudgedItem = Pick<Criterion, 'number' | 'text' | 'state' | 'detail'>;

type Compared = { readonly items: ReadonlyArray<JudgedItem>; readonly deviations: ReadonlyArray<Deviation> };

type Planned = { readonly plan: Plan; readonly items: ReadonlyArray<PlanItem>; readonly stage: Stage | null };

/** The work held against its plan: which entries are done and what shows it, and where the two differ. */
export function comparePlan({ plan, items, stage }: Planned, seen: WorkSeen): Compared {
  const entries = planEntries(plan);
  return {
    items: items.map((item) => judgeItem(item, { seen, stage })),
    deviations: [
      ...unplannedFiles(entries, { seen, stage }),
      ...entries.flatMap((entry) => untouchedFile(entry, { seen, stage })),
      ...unplannedCommands(plan, seen),
    ],
  };
}

type Against = { readonly seen: WorkSeen; readonly stage: Stage | null };

function judgeItem({ number, text, covers }: PlanItem, { seen, stage }: Against): JudgedItem {
  if (covers.length === 0) return { number, text, ...(seen.claims.get(number) ?? { state: 'open', detail: null }) };
  const due = covers.filter((entry) => isDue(entry, stage));
  if (due.length === 0) return { number, text, state: 'open', detail: 'for a later stage' };
  const looked = due.map((entry) => look(entry, seen));
  const isDone = looked.every(({ done }) => done);
  return { number, text, state: isDone ? 'shown' : 'open', detail: looked.map(({ words }) => words).join('; ') };
}

type Looked = { readonly done: boolean; readonly words: string };

const STATES: Readonly<Record<string, string>> = { A: 'was added', D: 'was deleted' };

function look({ kind, name }: PlanEntry, { files, added, commands }: WorkSeen): Looked {
  if (kind === 'dependency') {
    const isThere = added.toLowerCase().includes(dependencyName(name).toLowerCase());
    return { done: isThere, words: `${dependencyName(name)} ${isThere ? 'is in what was added' : 'was not added'}` };
  }
  if (kind === 'command') {
    const ran = commands.findLast(({ command }) => isSameCommand(command, name));
    if (ran === undefined) return { done: false, words: `${name} was not run` };
    return { done: !ran.failed, words: `${name} ${howItWent(ran) ?? 'was run'}` };
  }
  const state = files.get(name);
  return {
    done: state !== undefined,
    words: `${name} ${state === undefined ? 'is unchanged' : (STATES[state] ?? 'was changed')}`,
  };
}

/** What came of a command that did not do what it was to do; null: it did. */
function howItWent({ failed, refused }: Pick<RunCommand, 'failed' | 'refused'>): string | null {
  if (refused) return 'was refused by a person';
  return failed ? 'was run or asked for, without success' : null;
}

function isSameCommand(ran: string, planned: string): boolean {
  return plain(ran).includes(plain(planned));
}

function plain(command: string): string {
  return command.replaceAll(/\s+/g, ' ').trim();
}

function isDue({ kind }: PlanEntry, stage: Stage | null): boolean {
  return stage === null || stage.due.includes(kind);
}

function isFile({ kind }: PlanEntry): boolean {
  return kind === 'create' || kind === 'modify' || kind === 'test';
}

function unplannedFiles(entries: ReadonlyArray<PlanEntry>, { seen, stage }: Against): ReadonlyArray<Deviation> {
  const files = entries.filter(isFile);
  return [...seen.files.keys()].flatMap((path): ReadonlyArray<Deviation> => {
    const named = files.filter(({ name }) => name === path);
    if (named.length === 0) return [{ kind: 'file_not_planned', what: path }];
    const isEarly = stage !== null && !named.some(({ kind }) => stage.may.includes(kind));
    return isEarly ? [{ kind: 'file_not_planned', what: path, detail: 'it is for a later stage' }] : [];
  });
}

function untouchedFile(entry: PlanEntry, { seen, stage }: Against): ReadonlyArray<Deviation> {
  if (!isFile(entry) || !isDue(entry, stage) || seen.files.has(entry.name)) return [];
  return [{ kind: 'file_not_touched', what: entry.name }];
}

const MOST_COMMANDS = 20;

function unplannedCommands(plan: Plan, { commands }: WorkSeen): ReadonlyArray<Deviation> {
  const others = commands.filter(
    ({ command, isNoted }) => isNoted && !plan.commands.some((planned) => isSameCommand(command, planned)),
  );
  const byText = new Map(others.map((one) => [plain(one.command), one]));
  return [...byText].slice(0, MOST_COMMANDS).map(([what, ran]) => {
    const detail = howItWent(ran);
    return { kind: 'command_not_planned', what, ...(detail === null ? {} : { detail }) };
  });
}
