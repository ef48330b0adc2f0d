import type { AgentSession } from '@attractor/agent';
import { newUuid } from '@attractor/base/id';
import { getModelInfo, modelNamed } from '@attractor/llm';
import type { Line, Tally } from '@attractor/stream-json';
import type { LineCount } from './changed-lines.ts';

/** What a command that needs no model may look at. */
export type AnswerWorld = {
  readonly session: AgentSession;
  readonly tally: Tally;
  readonly apiMs: number;
  readonly durationMs: number;
  readonly lines: LineCount;
};

type OwnName = {
  readonly about: string;
  readonly takes: string;
  /** What it says. Null: the session carries it out, or another conversation begins. */
  readonly say: ((world: AnswerWorld, given: string) => string) | null;
};

/** Commands of every session without a terminal, by the names that Claude Code gives them. */
const OWN_ANSWERS: Readonly<Record<string, OwnName>> = {
  clear: { about: 'begin a new conversation; the old one stays', takes: '', say: null },
  compact: { about: 'make room: replace the conversation by a summary', takes: '[what matters]', say: null },
  context: {
    about: 'what the conversation takes of the window',
    takes: '',
    say: ({ session }) => contextText(session),
  },
  cost: { about: 'what the session used', takes: '', say: costText },
  model: {
    about: 'show the model, or change it',
    takes: '[name]',
    say: ({ session }, given) => chosenModel(session, given),
  },
};

/** Of the terminal alone; the model would take the name for a task. */
const OF_TERMINAL: ReadonlySet<string> = new Set(
  'add-dir agents bug config copy doctor exit export feedback help hooks ide login logout mcp memory permissions plugin quit release-notes resume rewind status statusline terminal-setup theme usage vim'.split(
    ' ',
  ),
);

type Said = { readonly text: string; readonly images: ReadonlyArray<unknown>; readonly isVerbatim?: boolean };

/** A file of the person by such a name comes first. */
type Local =
  | { readonly kind: 'says'; readonly text: string }
  | { readonly kind: 'clear' }
  | { readonly kind: 'compact' };

/** The command that an input is, with what it says; null: it is for the model, or for a command of a file. */
export function ownAnswer({ text, images, isVerbatim }: Said, world: AnswerWorld): Local | null {
  const [, name = '', given = ''] = /^\/([\w-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  const { commands, skills } = world.session.names();
  if (name === '' || images.length > 0 || isVerbatim === true || [...commands, ...skills].includes(name)) return null;
  if (name === 'clear' || name === 'compact') return { kind: name };
  const say = Object.hasOwn(OWN_ANSWERS, name) ? OWN_ANSWERS[name]?.say : undefined;
  if (say !== undefined && say !== null) return { kind: 'says', text: say(world, given.trim()) };
  if (given !== '' || !OF_TERMINAL.has(name)) return null;
  return { kind: 'says', text: `/${name} needs a terminal: start \`attractor\` there.` };
}

/** What may be said while the agent works waits for its turn if it is one of these. */
export function isAnsweredHere(text: string): boolean {
  const [, name = ''] = /^\/([\w-]+)(?:\s|$)/.exec(text.trim()) ?? [];
  return Object.hasOwn(OWN_ANSWERS, name) || OF_TERMINAL.has(name);
}

/** Beside those of files; one of a file by the same name is named once. */
export function ownNames(known: ReadonlyArray<string>): ReadonlyArray<string> {
  return Object.keys(OWN_ANSWERS).filter((name) => !known.includes(name));
}

export function ownListed(known: ReadonlyArray<string>) {
  return ownNames(known).map((name) => ({
    name,
    description: OWN_ANSWERS[name]?.about ?? '',
    argumentHint: OWN_ANSWERS[name]?.takes ?? '',
  }));
}

/** An answer that no model gave, as Claude Code writes it. */
export function ownLine(session: AgentSession, text: string): Line {
  const usage = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  return {
    type: 'assistant',
    message: {
      id: newUuid(),
      type: 'message',
      role: 'assistant',
      model: '<synthetic>',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage,
    },
    parent_tool_use_id: null,
    local_command_source: `<local-command-stdout>${text}</local-command-stdout>`,
    session_id: session.id,
    uuid: newUuid(),
  };
}

function contextText(session: AgentSession): string {
  const window = getModelInfo(session.model)?.contextWindow;
  const used = session.tokensInUse();
  const share = window === undefined ? '' : ` / ${window} (${Math.round((used / window) * 100)}%)`;
  return `## Context Usage\n\n**Model:** ${session.model}  \n**Tokens:** ${used}${share}`;
}

function costText({ tally, apiMs, durationMs, lines }: AnswerWorld): string {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = tally.usage;
  const input = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  return [
    `Total cost:            ${tally.costUsd === null ? 'unknown' : `$${tally.costUsd.toFixed(4)}`}`,
    `Total duration (API):  ${Math.round(apiMs / 1_000)}s`,
    `Total duration (wall): ${Math.round(durationMs / 1_000)}s`,
    `Total code changes:    ${lines.added} lines added, ${lines.removed} lines removed`,
    `Usage:                 ${input} input, ${outputTokens} output, ${cacheReadTokens} cache read, ${cacheWriteTokens} cache write`,
  ].join('\n');
}

function chosenModel(session: AgentSession, given: string): string {
  if (given === '') return `Current model: ${session.model}`;
  const model = modelNamed(given);
  session.configure({ model, by: { source: 'command', asked: given } });
  return `Model set to ${model}`;
}
