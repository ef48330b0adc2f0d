import { type ApprovalAnswer, type ApprovalRequest, visible } from '@attractor/policy';
import type { PromptOf } from '@attractor/platform';

/** How a person answers a tool call at a terminal. The port is small, so that any terminal can implement it. */
export type ApprovalTerminal = {
  readonly note: (text: string, title: string) => void | Promise<void>;
  /** Null if the person postpones it. */
  readonly choose: (message: string, options: ReadonlyArray<Choice>) => Promise<string | null>;
  readonly text: (message: string, initial?: string) => Promise<string | null>;
};

export type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

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
  const choice = await terminal.choose(visible(title), choicesFor(asked));
  if (choice === null) return null;
  if (choice === 'once') return { decision: 'approve' };
  if (choice === 'edit') return edited(asked, terminal);
  const kept = suggestions[Number(choice.replace('always:', ''))];
  if (choice.startsWith('always:') && kept !== undefined)
    return { decision: 'approve', remember: { rules: kept.rules, destination: kept.destination } };
  const message = await terminal.text('Why not? The agent is told. (optional)');
  return message === null ? null : { decision: 'reject', ...(message === '' ? {} : { message }) };
}

function choicesFor({ suggestions = [], input }: ApprovalRequest): ReadonlyArray<Choice> {
  return [
    { value: 'once', label: 'Allow once' },
    ...suggestions.map(({ rules, file }, index) => ({
      value: `always:${index}`,
      label: file === null ? 'Allow always, in this run' : `Allow always: writes to ${visible(file)}`,
      hint: visible(rules.join('  ')),
    })),
    ...(editableOf(input) === null ? [] : [{ value: 'edit', label: 'Edit before it runs' }]),
    { value: 'deny', label: 'Deny', hint: 'the agent is told why' },
  ];
}

/** The one text that a person can reasonably edit on a line. */
function editableOf(input: ApprovalRequest['input']): { readonly name: string; readonly text: string } | null {
  const { command } = input;
  return typeof command === 'string' && visible(command) === command && !command.includes('\n')
    ? { name: 'command', text: command }
    : null;
}

async function edited({ input }: ApprovalRequest, terminal: ApprovalTerminal): Promise<ApprovalAnswer | null> {
  const field = editableOf(input);
  if (field === null) return null;
  const text = await terminal.text('What should run instead?', field.text);
  if (text === null || text.trim() === '') return null;
  return text === field.text
    ? { decision: 'approve' }
    : { decision: 'approve', input: { ...input, [field.name]: text } };
}
