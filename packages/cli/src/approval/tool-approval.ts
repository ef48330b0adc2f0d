import { defined } from '@attractor/base';
import { type ApprovalAnswer, type ApprovalRequest, visible } from '@attractor/policy';
import type { PromptOf } from '@attractor/platform';

/** How a person answers a tool call at a terminal. The port is small, so that any terminal can implement it. */
export type ApprovalTerminal = {
  readonly note: (text: string, title: string) => void | Promise<void>;
  /** Null if the person postpones it. */
  readonly choose: (message: string, options: ReadonlyArray<Choice>) => Promise<string | null>;
  readonly text: (message: string, initial?: string) => Promise<string | null>;
  /** A longer text in the person's editor, in a file of this name; null if that was not possible. */
  readonly edit?: (text: string, name: string) => Promise<string | null>;
};

/** `key`: pressing it chooses this, where every choice has one. */
export type Choice = { readonly value: string; readonly label: string; readonly hint?: string; readonly key?: string };

/** Shows exactly what would run, and asks; null if the person postpones it. An unclear answer allows nothing. */
export async function askForTool(
  { title, payload: asked }: PromptOf<'tool_approval'>,
  terminal: ApprovalTerminal,
): Promise<ApprovalAnswer | null> {
  const {
    toolName,
    part,
    reason = '',
    shown = visible(JSON.stringify(asked.input, null, 2)),
    suggestions = [],
  } = asked;
  await terminal.note(shown, visible(part === undefined ? toolName : `${toolName}: ${reason}`));
  for (;;) {
    const choice = await terminal.choose(visible(title), choicesFor(asked, terminal));
    if (choice === null) return null;
    if (choice === 'once') return { decision: 'approve' };
    if (choice === 'edit') return edited(asked, terminal);
    const kept = suggestions[Number(choice.replace('always:', ''))];
    if (choice.startsWith('always:') && kept !== undefined)
      return { decision: 'approve', remember: { rules: kept.rules, destination: kept.destination } };
    if (choice !== 'explain') return denied(terminal);
    await terminal.note(explanation(asked), 'Why you are asked');
  }
}

async function denied(terminal: ApprovalTerminal): Promise<ApprovalAnswer | null> {
  const message = await terminal.text('Why not? The agent is told. (optional)');
  return message === null ? null : { decision: 'reject', ...(message === '' ? {} : { message }) };
}

function explanation({ toolName, reason, part, suggestions = [] }: ApprovalRequest): string {
  return [
    visible(`${toolName} runs without asking only where a rule or the permission mode allows it.`),
    ...(reason === undefined || reason === '' ? [] : [visible(`Here: ${reason}.`)]),
    ...(part === undefined ? [] : [visible(`It is about this part: ${part}`)]),
    'Allow once: this call, exactly as shown, and no other.',
    ...suggestions.map(({ rules, file }) =>
      visible(`Allow always: ${rules.join(', ')}, ${file === null ? 'until this run ends' : `kept in ${file}`}.`),
    ),
    'Deny: nothing is run. The agent gets an error with your words, and goes on without it.',
    'How a command is judged, part by part: attractor policy explain "…"',
  ].join('\n');
}

const ALWAYS_KEYS = 'abcdfghi';

function choicesFor({ suggestions = [], input }: ApprovalRequest, { edit }: ApprovalTerminal): ReadonlyArray<Choice> {
  const isEditable = editableOf(input, edit !== undefined) !== null;
  return [
    { key: 'y', value: 'once', label: 'Allow once' },
    ...suggestions.map(({ rules, file }, index) => ({
      ...defined({ key: ALWAYS_KEYS[index] }),
      value: `always:${index}`,
      label: file === null ? 'Allow always, in this run' : `Allow always: writes to ${visible(file)}`,
      hint: visible(rules.join('  ')),
    })),
    ...(isEditable ? [{ key: 'e', value: 'edit', label: 'Edit before it runs' }] : []),
    { key: 'x', value: 'explain', label: 'Explain' },
    { key: 'n', value: 'deny', label: 'Deny', hint: 'the agent is told why' },
  ];
}

/** The one text that a person can reasonably edit: on a line or, if it has several, in an editor. */
function editableOf(
  { command }: ApprovalRequest['input'],
  hasEditor: boolean,
): { readonly text: string; readonly isLine: boolean } | null {
  if (typeof command !== 'string' || visible(command) !== command) return null;
  const isLine = !command.includes('\n');
  return isLine || hasEditor ? { text: command, isLine } : null;
}

async function edited({ input }: ApprovalRequest, terminal: ApprovalTerminal): Promise<ApprovalAnswer | null> {
  const field = editableOf(input, terminal.edit !== undefined);
  if (field === null) return null;
  const text = field.isLine
    ? await terminal.text('What should run instead?', field.text)
    : ((await terminal.edit?.(field.text, 'command.sh')) ?? null);
  if (text === null || text.trim() === '') return null;
  return text === field.text ? { decision: 'approve' } : { decision: 'approve', input: { ...input, command: text } };
}
