import type { SessionTurn } from '../server-parts.ts';
import type { ToolPiece } from '../views/transcript.ts';

/** What one side said, with the calls that it made and what came back. */
export type TurnToRead = {
  readonly turn: number;
  readonly kind: 'person' | 'agent';
  readonly text: string;
  readonly at: string;
  readonly tools: ReadonlyArray<ToolPiece>;
};

/** A reply and the results of its calls are one thing to read. */
export function turnsToRead(turns: ReadonlyArray<SessionTurn>): ReadonlyArray<TurnToRead> {
  const results = new Map(
    turns.flatMap((one) => one.results.map((result) => [result.toolCallId, { ...result, at: one.at }])),
  );
  return turns
    .filter(({ kind }) => kind !== 'tool_results')
    .map(({ turn, kind, text, at, calls }) => ({
      turn,
      kind: kind === 'assistant' ? 'agent' : 'person',
      text,
      at,
      tools: calls.map(({ toolCallId, toolName, args }) => ({
        kind: 'tool' as const,
        key: toolCallId,
        toolCallId,
        toolName,
        input: typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : { input: args },
        startedAt: at,
        result: results.get(toolCallId) ?? { output: 'There is no result: it was interrupted.', isError: true, at },
      })),
    }));
}

/** How to go on with it where it was begun; a path is quoted for any shell. */
export function howToResume(cwd: string, id: string): string {
  return `cd '${cwd.replaceAll("'", String.raw`'\''`)}' && attractor --resume ${id}`;
}
