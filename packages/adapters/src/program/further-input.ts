import type { AgentMessage } from '../agent.ts';

export type FurtherInput = {
  /** The command's first request; it remembers nothing of it. */
  readonly first: string;
  readonly messages: ReadonlyArray<AgentMessage>;
  readonly prompt: string;
};

const MAX_TAIL = 12_000;

/** A command forgets everything between two starts: it is told its first request, the end of what it said and did, and the new request. */
export function furtherInputText({ first, messages, prompt }: FurtherInput): string {
  const said = messages.flatMap((message) => lineOf(message) ?? []).join('\n');
  const tail = said.length <= MAX_TAIL ? said : `… ${said.slice(-MAX_TAIL)}`;
  const parts = [
    first,
    '# What happened since',
    'You worked on this before, and what you changed is in the working folder. The end of what you said and did then:',
    tail === '' ? '(nothing)' : tail.replaceAll(/^/gm, '> '),
    '# What is asked now',
    prompt,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function lineOf(message: AgentMessage): string | null {
  if (message.kind === 'text') return message.text;
  if (message.kind === 'tool_call') return `[${message.toolName} ${JSON.stringify(message.input)}]`;
  return message.kind === 'notice' && message.level === 'error' ? `[error: ${message.text}]` : null;
}
