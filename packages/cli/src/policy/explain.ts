import type { ShellPart, ShellReading } from '@attractor/shell';
import { readableText } from '@attractor/console';
import { isForDenials, type Answer, type ShellPolicy } from './judge-line.ts';

/** A judgement for a person: the decision, each part with its effect and the reason, and the smallest rules that would allow it. */
export function explain(answer: Answer, reading: ShellReading, shell: ShellPolicy): string {
  const lines = [`${answer.decision}: ${answer.reason}`];
  if (reading.problem !== null) lines.push('', `not understood: ${reading.problem.reason}`);
  lines.push('', ...reading.parts.filter((part) => !isForDenials(part)).flatMap(partLines));
  const rules = suggestions(answer, reading, shell);
  if (rules !== null) lines.push('', ...rules);
  return `${lines.map(readableText).join('\n')}\n`;
}

const EFFECTS: Readonly<Record<ShellPart['effect'], string>> = {
  read: 'reads',
  guarded: 'asks',
  edit: 'changes',
  change: 'changes',
  unknown: 'asks',
  destructive: 'denied',
};

function partLines(part: ShellPart): ReadonlyArray<string> {
  const via = part.via === undefined ? '' : ` (run by ${part.via})`;
  const targets = part.targets.map(
    ({ path, access }) =>
      `${' '.repeat(10)}${access === 'read' ? 'reads' : 'writes'} ${path ?? 'a file that is only known when it runs'}`,
  );
  return [
    `${EFFECTS[part.effect].padEnd(9)} ${part.text.replaceAll('\n', ' ')}${via}`,
    `${' '.repeat(10)}${part.reason}`,
    ...targets,
  ];
}

function suggestions(answer: Answer, reading: ShellReading, shell: ShellPolicy): ReadonlyArray<string> | null {
  if (answer.decision !== 'ask') return null;
  const open = reading.parts.filter(({ effect, via }) => effect !== 'read' && via === undefined);
  const rules = open.map((part) => shell.suggestRule(part));
  const writes = open.some(({ targets }) =>
    targets.some(({ access, via }) => access === 'write' && via !== 'argument'),
  );
  if (reading.problem !== null || rules.length === 0 || rules.includes(null) || writes)
    return ['No rule can allow this: it has to be approved each time.'];
  return [
    `The smallest rule${rules.length > 1 ? 's' : ''} that would allow it, for "permissions.allow":`,
    ...rules.map((rule) => `  ${JSON.stringify(rule)}`),
  ];
}
