import { compactOnRequest } from '../compaction/compact.ts';
import { addToMemory } from '../compaction/memory.ts';
import type { SessionEvent } from '../types/index.ts';
import type { Run } from './run.ts';
import type { QueuedInput, SessionCommand } from '../conversation/view.ts';

type Input = QueuedInput & { readonly isFollowUp: boolean };

/** Session commands by their first word. A command that the session was not set up for is an ordinary message. */
const COMMANDS: Readonly<Record<SessionCommand['name'], (run: Run) => boolean>> = {
  compact: (run) => run.compaction !== undefined,
  remember: (run) => run.memoryFile !== undefined,
};

/**
 * Carries out an input that is a session command, or one that a dead process left open. False: it is no command. The command is in the
 * journal before it is carried out, so a resumed session finishes it; repeating any of them is harmless.
 */
export async function* runSessionCommand(run: Run, input: Input | null): AsyncGenerator<SessionEvent, boolean> {
  const given = input === null ? null : commandIn(run, input);
  if (input !== null && given === null) return false;
  if (given !== null)
    yield { kind: 'COMMAND_INPUT', ...given, ...(input?.isFollowUp === true ? { isFollowUp: true } : {}) };
  const { command } = run.view();
  if (command === null) return false;
  if (command.name === 'compact') yield* compactOnRequest(run, command.text);
  else yield* remember(run, command.text);
  if (run.ending() === null) yield { kind: 'PROCESSING_END' };
  return true;
}

function commandIn(run: Run, { content, parts }: Input): SessionCommand | null {
  if (parts !== undefined) return null;
  const [, name, text = ''] = /^\/(compact|remember)(?:\s+([^]*))?$/.exec(content.trim()) ?? [];
  if (name !== 'compact' && name !== 'remember') return null;
  return COMMANDS[name](run) ? { name, text: text.trim() } : null;
}

/** The system text stays as it is: this session gets the new fact in its conversation, later sessions in their system text. */
async function* remember(run: Run, text: string): AsyncGenerator<SessionEvent, void> {
  const problem = addToMemory(run.memoryFile ?? '', text);
  if (problem !== null) yield { kind: 'WARNING', message: `Nothing was remembered: ${problem}` };
  else yield { kind: 'STEERING_INJECTED', content: `To be remembered in this project: ${text}`, source: 'memory' };
}
