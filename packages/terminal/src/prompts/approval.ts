import { defined } from '@attractor/base';
import type { ApprovalAnswer, ApprovalRequest } from '@attractor/policy';
import { diffLines } from '../conversation/diff-lines.ts';
import { changeOf, toolTitle } from '@attractor/tool-table';
import { cutLine } from '../screen/wrap-line.ts';
import { EMPTY_LINE, type Line, linesOf, plainLine, prefixed } from '../themes/line.ts';
import { type Choice, createMenu } from './menu.ts';
import type { Panel } from './panel.ts';

/** Exactly what would run or change, whole: it becomes finished text, so that nothing of it is out of sight. */
export function approvalLines(request: ApprovalRequest): ReadonlyArray<Line> {
  const { toolName, input, shown = JSON.stringify(input), reason, part } = request;
  const isChange = changeOf(toolName, input) !== null;
  const content = isChange ? diffLines(shown) : linesOf(shown);
  const why = [
    ...(reason === undefined || reason === '' ? [] : [plainLine(`  Why: ${reason}`, 'dim')]),
    ...(part === undefined || isChange || part === shown ? [] : [plainLine(`  About: ${part}`, 'dim')]),
  ];
  const asks = isChange ? 'wants to change' : 'wants to run';
  return [
    EMPTY_LINE,
    [
      { text: '? ', role: 'warn', bold: true },
      { text: `${toolTitle(toolName)} ${asks}`, bold: true },
    ],
    ...content.map((line) => prefixed(line, { text: '  ' })),
    ...why,
  ];
}

export type ApprovalAsking = {
  readonly request: ApprovalRequest;
  readonly answer: (answer: ApprovalAnswer) => void;
  readonly explain: (lines: ReadonlyArray<Line>) => void;
  /** How many wait, this one included. */
  readonly waiting: () => number;
  /** Which agent that was sent out wants it; null: none, or it is not known yet. */
  readonly asker: () => string | null;
  readonly isArmed: () => boolean;
};

/** Once, always with the rule and its file, changed, explained, or denied with words. */
export function createApprovalPanel(asking: ApprovalAsking): Panel {
  const { request, answer, explain, isArmed } = asking;
  const { suggestions = [] } = request;
  const bound = defined({ contentHash: request.contentHash });
  const menu = createMenu({
    title: [],
    choices: choicesFor(request),
    isArmed,
    cancel: () => answer({ decision: 'reject', ...bound }),
    choose: ([value = ''], text) => {
      const kept = suggestions[Number(value.replace('always:', ''))];
      if (value === 'once') answer({ decision: 'approve', ...bound });
      else if (value === 'explain') explain(explanation(request));
      else if (value === 'edit') answer(edited(request, text));
      else if (value.startsWith('always:') && kept !== undefined)
        answer({ decision: 'approve', remember: { rules: kept.rules, destination: kept.destination }, ...bound });
      else answer({ decision: 'reject', ...(text === '' ? {} : { message: text }), ...bound });
    },
  });
  return {
    ...menu,
    view: (room) => {
      const head = headOf(request, asking.asker(), asking.waiting());
      const view = menu.view({ ...room, most: room.most - 1 });
      const cursor = view.cursor === null ? null : { ...view.cursor, row: view.cursor.row + 1 };
      return { rows: [cutLine(head, room.columns - 1), ...view.rows], cursor };
    },
    inLines: () => ({ ...menu.inLines(), lines: [`${toolTitle(request.toolName)} asks. May it?`] }),
  };
}

function headOf({ toolName }: ApprovalRequest, asker: string | null, waiting: number): Line {
  const more = waiting > 1 ? `  (${waiting - 1} more after this)` : '';
  return [
    { text: `Allow ${toolTitle(toolName)}?`, role: 'warn', bold: true },
    { text: `${more}${asker === null ? '' : `  asked by ${asker}`}`, role: 'dim' },
  ];
}

const ALWAYS_KEYS = 'abcd';

function choicesFor({ suggestions = [], input }: ApprovalRequest): ReadonlyArray<Choice> {
  const { command } = input;
  return [
    { key: 'y', value: 'once', label: 'Yes, once' },
    ...suggestions.map(({ rules, file }, index) => ({
      key: ALWAYS_KEYS[index] ?? String(index),
      value: `always:${index}`,
      label: `Always: ${rules.join(', ')}`,
      ...(file === null ? { hint: 'in this session' } : { hint: 'written to', path: file }),
    })),
    ...(typeof command === 'string'
      ? [
          {
            key: 'e',
            value: 'edit',
            label: 'Change it first',
            asks: { question: 'What should run instead?', text: command },
          },
        ]
      : []),
    { key: 'x', value: 'explain', label: 'Explain' },
    {
      key: 'n',
      value: 'deny',
      label: 'No',
      hint: 'and say why',
      asks: { question: 'Why not? The agent is told. (Enter alone: no reason)' },
    },
  ];
}

function edited({ input, contentHash }: ApprovalRequest, text: string): ApprovalAnswer {
  if (text === '' || text === input['command']) return { decision: 'approve', ...defined({ contentHash }) };
  return { decision: 'approve', input: { ...input, command: text } };
}

function explanation({ toolName, reason, part, suggestions = [] }: ApprovalRequest): ReadonlyArray<Line> {
  const lines = [
    `${toolTitle(toolName)} runs without asking only where a rule or the permission mode allows it.`,
    ...(reason === undefined || reason === '' ? [] : [`Here: ${reason}.`]),
    ...(part === undefined ? [] : [`It is about this part: ${part}`]),
    'Yes, once: this call, exactly as shown, and no other.',
    ...suggestions.map(
      ({ rules, file }) =>
        `Always: ${rules.join(', ')}, ${file === null ? 'until this session ends' : `kept in ${file}`}.`,
    ),
    'No: nothing is run. The agent is told your reason and continues without it.',
    'How a command is judged, part by part: attractor policy explain "…"',
  ];
  return lines.map((line) => plainLine(`  ${line}`, 'dim'));
}
