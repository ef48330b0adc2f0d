import type {
  allowsPart,
  diskOf,
  matchShellPattern,
  readShell,
  restrictsPart,
  ShellPart,
  ShellReading,
  suggestRule,
} from '@attractor/shell';
import type { BatchLine } from './batch-line.ts';

/** The parser of shell commands, loaded when there is one to judge. */
export type ShellPolicy = {
  readonly allowsPart: typeof allowsPart;
  readonly diskOf: typeof diskOf;
  readonly matchShellPattern: typeof matchShellPattern;
  readonly readShell: typeof readShell;
  readonly restrictsPart: typeof restrictsPart;
  readonly suggestRule: typeof suggestRule;
};

export type Answer = {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly reason: string;
  readonly part?: string;
  readonly rule?: string;
};

/** Deny rules and destructive effects first, over every part; then ask rules; then what can't be parsed; then the mode. */
export function judgeLine(line: BatchLine, reading: ShellReading, shell: ShellPolicy): Answer {
  return (
    byRestriction('deny', { line, reading, shell }) ??
    byDestruction(reading) ??
    byRestriction('ask', { line, reading, shell }) ??
    byProblem(reading) ??
    MODES[line.mode]({ line, reading, shell })
  );
}

type Matter = { readonly line: BatchLine; readonly reading: ShellReading; readonly shell: ShellPolicy };

const MODES: Readonly<Record<BatchLine['mode'], (matter: Matter) => Answer>> = {
  'read-only': (matter) => byEffect(matter, ['read']),
  auto: (matter) => byEffect(matter, ['read', 'edit', 'change']),
  rules: byRules,
};

function byRestriction(decision: 'ask' | 'deny', { line, reading, shell }: Matter): Answer | null {
  for (const rule of line[decision]) {
    const pattern = patternOf(rule);
    if (pattern === null) continue;
    const part = reading.parts.find((one) => shell.restrictsPart(pattern, one));
    if (part !== undefined) return { decision, reason: `a rule says ${decision}`, part: part.text, rule };
    if (shell.matchShellPattern(pattern, line.command.trim()))
      return { decision, reason: `a rule says ${decision}`, rule };
  }
  return null;
}

function byDestruction({ parts }: ShellReading): Answer | null {
  const part = parts.find(({ effect }) => effect === 'destructive');
  return part === undefined ? null : { decision: 'deny', reason: part.reason, part: part.text };
}

function byProblem({ problem, parts }: ShellReading): Answer | null {
  if (problem !== null) return { decision: 'ask', reason: problem.reason, part: problem.part };
  return parts.length === 0 ? { decision: 'ask', reason: 'it contains no command' } : null;
}

/** What a part would make of the text that it is given is looked at for what must be denied; the part itself is judged without it. */
export function isForDenials({ via, effect }: ShellPart): boolean {
  return via?.startsWith('a pipe') === true && effect !== 'destructive';
}

/** Given rules also allow, in every mode. */
function byEffect(matter: Matter, effects: ReadonlyArray<ShellPart['effect']>): Answer {
  const { reading } = matter;
  const part = reading.parts.find(
    (one) => !effects.includes(one.effect) && !isForDenials(one) && allowingRule(one, matter) === null,
  );
  if (part !== undefined) return { decision: 'ask', reason: part.reason, part: part.text };
  const change = reading.parts.find((one) => one.effect !== 'read' && !isForDenials(one));
  return { decision: 'allow', reason: change === undefined ? 'only reads, inside the workspace' : change.reason };
}

function byRules(matter: Matter): Answer {
  const { line, reading } = matter;
  const rules = reading.parts.map((part) => ({ part, rule: allowingRule(part, matter) }));
  const unmatched = rules.find(({ rule }) => rule === null);
  const [first] = rules;
  if (unmatched === undefined && first?.rule !== undefined && first.rule !== null) {
    return { decision: 'allow', reason: 'every part is allowed by a rule', rule: first.rule };
  }
  return {
    decision: line.default,
    reason: 'no rule allows this part',
    ...(unmatched === undefined ? {} : { part: unmatched.part.text }),
  };
}

/** A rule for a command does not cover the files that the shell itself opens for writing. */
function allowingRule(part: ShellPart, { line, shell }: Matter): string | null {
  const writes = part.targets.some(({ access, via }) => access === 'write' && via !== 'argument');
  if (writes) return null;
  return (
    line.allow.find((rule) => {
      const pattern = patternOf(rule);
      return pattern !== null && shell.allowsPart(pattern, part);
    }) ?? null
  );
}

/** `Bash(x)` as published; a plain text is a prefix of whole words; rules for other tools do not apply to commands. */
function patternOf(rule: string): string | null {
  const trimmed = rule.trim();
  if (trimmed === 'Bash') return '*';
  const content = /^Bash\((.*)\)$/s.exec(trimmed)?.[1];
  if (content !== undefined) return content;
  if (trimmed === '' || /^[A-Z]\w*(?:\(.*\))?$/s.test(trimmed)) return null;
  return trimmed.endsWith('*') ? trimmed : `${trimmed} *`;
}
