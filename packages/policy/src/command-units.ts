import path from 'node:path';
import { checkFinder } from './check-commands.ts';
import { speaksOfCall, type CompiledRule } from './compile-rule.ts';
import { fetchedAddresses } from './fetched-addresses.ts';
import { gitShownUnits } from './git-shown-files.ts';
import { gitTraps } from './git-traps.ts';
import { namedFileUnits } from './named-files.ts';
import { steeringIn, whySteered } from './steered-programs.ts';
import { matchesForms, pathUnit } from './path-unit.ts';
import { pathForms } from './real-path.ts';
import type { ShellPort } from './shell-port.ts';
import type { ShellPart, ShellReading, ShellTarget } from '@attractor/shell';
import type { Variables } from '@attractor/system';
import type { PolicyCall } from './types.ts';
import type { Forced, Nature, Unit } from './unit.ts';
import { programRefused } from './work-limit.ts';
import { withHooks, type Workspace } from './workspace.ts';

/** Nobody reads a longer command before approving it. */
const MAX_CHARACTERS = 10_000;

export type ShellCommandCall = {
  readonly call: PolicyCall;
  readonly command: string;
  readonly cwd: string | null;
  /** The commands of the task's checks. */
  readonly checks: ReadonlyArray<string>;
  readonly workspace: Workspace;
  readonly rules: ReadonlyArray<CompiledRule>;
  /** Its environment. */
  readonly variables: Variables;
  /** There are rules that deny or ask about commands or files: what can't be parsed could then be what they mean. */
  readonly isRestricted: boolean;
  /** Earlier commands may have changed the meaning of its words. */
  readonly isPersistent: boolean;
};

/** Each part of a command, each file that it names, and what could not be parsed. Deny rules see all of them, however many. */
export async function commandUnits(input: ShellCommandCall, shell: ShellPort): Promise<ReadonlyArray<Unit>> {
  const { call, command, variables } = input;
  const cwd = path.resolve(input.workspace.root, input.cwd ?? '.');
  const { root, home, named } = input.workspace;
  const folders = [...new Set([...named, ...input.workspace.folders])];
  const places = { cwd, root, home, folders, searchPath: variables['PATH'] ?? '' };
  const reading = shell.read(command, places);
  const isCheck = input.checks.length === 0 ? () => false : checkFinder(input, places, shell);
  const writes = reading.parts.some(({ targets }) => targets.some(({ access }) => access === 'write'));
  const workspace = writes ? await withHooks(input.workspace, variables) : input.workspace;
  const traps = await gitTraps(reading, { folders: workspace.folders, variables });
  const isOnlyRead = reading.parts.every(({ effect }) => effect === 'read');
  const obeyed = steeringIn(variables, workspace.folders);
  const parts = reading.parts.map((part) => ({
    part,
    unit: partUnit(part, call, {
      shell,
      workspace,
      trap: traps.get(part) ?? whySteered(part, obeyed),
      hopeless: whyCutOff(part, workspace),
    }),
  }));
  return [
    ...wholeUnits(input, reading).map((unit) => permitted(unit, isCheck(null))),
    ...(input.cwd === null
      ? []
      : [pathUnit(workspace, { path: input.cwd, cwd: workspace.root, access: 'read', toolName: null })]),
    ...parts.map(({ part, unit }) => permitted(unit, isCheck(part))),
    ...parts.flatMap(({ part }) => unnamedUnits(part, input)),
    ...reading.parts.flatMap((part) => namedFileUnits(part, input.rules)),
    ...(await gitShownUnits(reading.parts, {
      rules: input.rules,
      variables,
      shows: shell.shows,
      isHarmless: (part) => isOnlyRead && part.repositories !== undefined && !traps.has(part),
    })),
    ...parts.flatMap(({ part, unit }) =>
      part.targets.map((target) =>
        permitted(
          targetUnit({ target, part, unit }, { workspace, call }),
          isCheck(null) || (target.via === 'argument' && isCheck(part)),
        ),
      ),
    ),
  ];
}

function permitted(unit: Unit, isCheck: boolean): Unit {
  return isCheck ? { ...unit, permitted: 'it is a check of this task' } : unit;
}

function wholeUnits(
  { call, command, workspace, isRestricted, isPersistent }: ShellCommandCall,
  { parts, problem }: ShellReading,
): ReadonlyArray<Unit> {
  const whole = (rule: CompiledRule): boolean => speaksOfCall(rule, call);
  // What can't be read may be any command.
  const unread = (rule: CompiledRule): boolean => whole(rule) || rule.content?.kind === 'others';
  const units: Unit[] = [];
  if (command.length > MAX_CHARACTERS) {
    const reason = `it is longer than ${MAX_CHARACTERS} characters`;
    units.push({
      part: shortened(command),
      nature: 'command',
      because: reason,
      speaksOf: unread,
      forced: { decision: 'ask', reason },
    });
  }
  if (problem !== null) {
    // Only known programs may run: what can't be read may be any.
    const limited: Forced | null =
      workspace.limit?.programs === undefined
        ? null
        : { decision: 'deny', reason: `${problem.reason}, and ${workspace.limit.programs.reason}` };
    const forced: Forced | null = limited ?? (isRestricted ? { decision: 'ask', reason: problem.reason } : null);
    units.push({
      part: problem.part,
      nature: 'command',
      because: problem.reason,
      speaksOf: unread,
      ...(forced === null ? {} : { forced }),
    });
  }
  if (isPersistent) {
    const because = 'it runs in a shell that earlier commands may have changed';
    units.push({ part: shortened(command), nature: 'command', because, speaksOf: whole });
  }
  if (parts.length === 0 && problem === null) {
    units.push({ part: shortened(command), nature: 'read', because: 'there is nothing to run', speaksOf: whole });
  }
  return units;
}

type Means = {
  readonly shell: ShellPort;
  readonly workspace: Workspace;
  readonly trap: string | undefined;
  readonly hopeless: string | null;
};

function whyCutOff(part: ShellPart, { containment }: Workspace): string | null {
  if (containment.addresses === undefined) return null;
  return fetchedAddresses(part).reduce<string | null>((why, one) => why ?? containment.addresses?.(one) ?? null, null);
}

function partUnit(part: ShellPart, call: PolicyCall, { shell, workspace, trap, hopeless }: Means): Unit {
  const forced: Forced | null =
    part.effect === 'destructive' ? { decision: 'deny', reason: part.reason } : programRefused(workspace, part);
  return {
    part: part.text,
    // A part that another part runs is allowed or asked about with that one, and denied separately.
    nature: trap !== undefined ? 'claimedRead' : part.via !== undefined ? 'read' : NATURES[part.effect],
    because: trap ?? part.reason,
    speaksOf: (rule) => speaksOfCall(rule, call) || speaksOfPart(rule, part, shell),
    ...(forced === null ? {} : { forced }),
    suggestion: () => suggestionFor(part, shell),
    ...(hopeless === null ? {} : { hopeless }),
  };
}

/** A name that is made when it runs may be that of a program which a rule denies or asks about. */
function unnamedUnits(part: ShellPart, { call, rules }: ShellCommandCall): ReadonlyArray<Unit> {
  const restricts = rules.some(({ rule, content }) => rule.behavior !== 'allow' && content?.kind === 'command');
  if (part.unnamed !== true || !restricts) return [];
  const reason = 'which program runs is only known when it runs, and there are rules against some';
  const speaksOf = (rule: CompiledRule): boolean => speaksOfCall(rule, call);
  return [{ part: part.text, nature: 'command', because: reason, speaksOf, forced: { decision: 'ask', reason } }];
}

const NATURES: Readonly<Record<ShellPart['effect'], Nature>> = {
  read: 'read',
  // The files that are guarded are judged by themselves.
  guarded: 'read',
  edit: 'edit',
  change: 'command',
  unknown: 'command',
  destructive: 'command',
};

function speaksOfPart({ rule, content }: CompiledRule, part: ShellPart, shell: ShellPort): boolean {
  if (content?.kind === 'others') return !content.but.some((text) => shell.matches(text.trim(), part, 'allow'));
  if (content?.kind === 'command') return shell.matches(content.text, part, rule.behavior);
  return rule.tool === 'Cd' && speaksOfFolder(content, part, rule.behavior);
}

/** `Cd(path)` covers the target of a `cd`. */
function speaksOfFolder(
  content: CompiledRule['content'],
  { argv, cwd }: ShellPart,
  behavior: 'allow' | 'ask' | 'deny',
): boolean {
  const [name, to] = argv ?? [];
  if (name !== 'cd' || to === undefined || cwd === null) return false;
  if (content === null) return true;
  return content.kind === 'path' && matchesForms(content.pattern, pathForms(cwd, to), behavior);
}

const REMOVERS: ReadonlySet<string> = new Set(['rm', 'unlink']);

type Target = { readonly target: ShellTarget; readonly part: ShellPart; readonly unit: Unit };

/**
 * A file that a part names. A redirection into it is a separate edit; as an argument it is covered by a rule that allows the command,
 * unless a rule denies that file or it is protected.
 */
function targetUnit(
  { target, part, unit }: Target,
  { workspace, call }: Pick<ShellCommandCall, 'workspace' | 'call'>,
): Unit {
  const access = target.access === 'write' ? 'edit' : 'read';
  const redirected = access === 'edit' && target.via !== 'argument';
  if (target.path === null || (part.cwd === null && !path.isAbsolute(target.path)))
    return unknownTarget({ target, part, unit }, call);
  const cwd = part.cwd ?? workspace.root;
  const file = pathUnit(workspace, {
    path: target.path,
    cwd,
    access,
    toolName: null,
    isRemoved: REMOVERS.has(part.argv?.[0] ?? '') && !redirected,
  });
  const isEditedArgument = access === 'edit' && !redirected;
  const byCommand = (rule: CompiledRule): boolean =>
    rule.rule.behavior === 'allow' && (redirected ? speaksOfCall(rule, call) : unit.speaksOf(rule));
  return {
    ...file,
    suggestion: () => (isEditedArgument ? unit.suggestion?.() : null) ?? file.suggestion?.() ?? null,
    // An argument of a command that changes more than files asks by itself, with the command.
    ...(isEditedArgument && unit.nature === 'command' ? { nature: 'read' as const } : {}),
    ...(target.guarded === true && file.nature === 'read' ? GUARDED : {}),
    speaksOf: (rule) => file.speaksOf(rule) || byCommand(rule),
  };
}

const GUARDED = { nature: 'secretRead', because: 'it reads a file that usually holds secrets' } as const;

function unknownTarget({ target, part, unit }: Target, call: PolicyCall): Unit {
  const writes = target.access === 'write';
  return {
    part: part.text,
    nature: writes ? 'command' : unit.nature === 'read' ? 'outsideRead' : 'read',
    because: `which file it ${writes ? 'writes' : 'reads'} is only known when it runs`,
    speaksOf: (rule) => speaksOfCall(rule, call) || (!writes && rule.rule.behavior === 'allow' && unit.speaksOf(rule)),
  };
}

/** Only if the rule's text can mean nothing else: no star, and no blank inside a word. */
function suggestionFor(part: ShellPart, shell: ShellPort): string | null {
  const rule = shell.suggest(part);
  const isExact = part.argv?.every((word) => /^[^\s*]+$/.test(word)) === true;
  return rule === null || !isExact || rule.length > 500 ? null : rule;
}

function shortened(command: string): string {
  return command.length > 200 ? `${command.slice(0, 200)}…` : command;
}
