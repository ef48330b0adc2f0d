import { type RuleSuggestion, visible } from '@attractor/policy';
import type { Prompt, PromptAnswer } from '@attractor/platform';

/** What a person can say to a tool's call at a terminal. The port to the terminal is small, so that any can stand behind it. */
export type ApprovalTerminal = {
  readonly note: (text: string, title: string) => void;
  /** Null when the person leaves it for later. */
  readonly choose: (message: string, options: ReadonlyArray<Choice>) => Promise<string | null>;
  readonly text: (message: string, initial?: string) => Promise<string | null>;
};

export type Choice = { readonly value: string; readonly label: string; readonly hint?: string };

/** Shows exactly what would run, and asks; null when the person leaves it for later. Whatever is unclear allows nothing. */
export async function askForTool(prompt: Prompt, terminal: ApprovalTerminal): Promise<PromptAnswer | null> {
  const asked = readPayload(prompt.payload);
  terminal.note(asked.shown, visible(asked.part === null ? asked.toolName : `${asked.toolName}: ${asked.reason}`));
  const choice = await terminal.choose(visible(prompt.title), choicesFor(asked));
  if (choice === null) return null;
  if (choice === 'once') return { decision: 'approve' };
  if (choice === 'edit') return edited(asked, terminal);
  const kept = asked.suggestions[Number(choice.replace('always:', ''))];
  if (choice.startsWith('always:') && kept !== undefined)
    return { decision: 'approve', remember: { rules: kept.rules, destination: kept.destination } };
  const message = await terminal.text('Why not? The agent is told. (optional)');
  return message === null ? null : { decision: 'reject', ...(message === '' ? {} : { message }) };
}

type Asked = {
  readonly toolName: string;
  readonly shown: string;
  readonly reason: string;
  readonly part: string | null;
  readonly input: Readonly<Record<string, unknown>>;
  readonly suggestions: ReadonlyArray<RuleSuggestion>;
};

function readPayload(payload: Prompt['payload']): Asked {
  const { toolName, shown, reason, part, input, suggestions } = payload;
  const given: Asked['input'] = typeof input === 'object' && input !== null ? { ...input } : {};
  return {
    toolName: typeof toolName === 'string' ? toolName : 'a tool',
    shown: typeof shown === 'string' ? shown : visible(JSON.stringify(given, null, 2)),
    reason: typeof reason === 'string' ? reason : '',
    part: typeof part === 'string' ? part : null,
    input: given,
    suggestions: Array.isArray(suggestions) ? suggestions.filter(isSuggestion) : [],
  };
}

function isSuggestion(value: unknown): value is RuleSuggestion {
  if (typeof value !== 'object' || value === null) return false;
  const { rules, destination, file }: Readonly<Record<string, unknown>> = { ...value };
  const isFile = file === null || typeof file === 'string';
  return (
    Array.isArray(rules) && rules.every((rule) => typeof rule === 'string') && typeof destination === 'string' && isFile
  );
}

function choicesFor({ suggestions, input }: Asked): ReadonlyArray<Choice> {
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

/** The one text that a person can reasonably change on a line. */
function editableOf(input: Asked['input']): { readonly name: string; readonly text: string } | null {
  const { command } = input;
  return typeof command === 'string' && visible(command) === command && !command.includes('\n')
    ? { name: 'command', text: command }
    : null;
}

async function edited({ input }: Asked, terminal: ApprovalTerminal): Promise<PromptAnswer | null> {
  const field = editableOf(input);
  if (field === null) return null;
  const text = await terminal.text('What should run instead?', field.text);
  if (text === null || text.trim() === '') return null;
  return text === field.text
    ? { decision: 'approve' }
    : { decision: 'approve', input: { ...input, [field.name]: text } };
}
