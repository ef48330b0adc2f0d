import type { TranscriptMessage } from '../messages.ts';
import { spentByMessage, type Spent } from './cost.ts';

/** A tool call joined with its result; null while the tool runs. */
export type ToolPiece = {
  readonly kind: 'tool';
  readonly key: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly startedAt: string;
  readonly result: { readonly output: string; readonly isError: boolean; readonly at: string } | null;
};

export type Piece =
  | { readonly kind: 'text'; readonly key: string; readonly text: string }
  | { readonly kind: 'thinking'; readonly key: string; readonly text: string }
  | {
      readonly kind: 'notice';
      readonly key: string;
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
    }
  | ToolPiece;

/** One reply of the model and its tools' results. */
export type TranscriptTurn = {
  readonly key: string;
  readonly at: string;
  readonly pieces: ReadonlyArray<Piece>;
  readonly spent: Spent | null;
  /** The reply's cost came after its tools: no more tools will follow. */
  readonly whole: boolean;
};

/**
 * Puts one message in its place. Each reply reports its cost once, before its tools or after them; text after a cost or after the results
 * of all tools, a second cost, and a tool after a whole reply each start the next turn.
 * `turns` is changed, the turns in it are replaced.
 */
export function addMessage(turns: TranscriptTurn[], message: TranscriptMessage, at: string): void {
  if (message.kind === 'tool_result') return joinResult(turns, message, at);
  if (message.kind === 'usage') return addCost(turns, message, at);
  const piece = pieceOf(message, at);
  const last = turns.at(-1);
  if (last === undefined || opensTurn(last, piece)) {
    turns.push({ key: message.key, at, pieces: [piece], spent: null, whole: false });
    return;
  }
  turns[turns.length - 1] = { ...last, pieces: [...last.pieces, piece] };
}

function pieceOf(message: Exclude<TranscriptMessage, { kind: 'tool_result' | 'usage' }>, at: string): Piece {
  if (message.kind !== 'tool_call') return message;
  const { key, toolCallId, toolName, input } = message;
  return { kind: 'tool', key, toolCallId, toolName, input, startedAt: at, result: null };
}

function opensTurn(last: TranscriptTurn, next: Piece): boolean {
  if (next.kind === 'notice') return false;
  if (next.kind === 'tool') return last.whole;
  const tools = last.pieces.filter((piece) => piece.kind === 'tool');
  return last.spent !== null || (tools.length > 0 && tools.every((tool) => tool.result !== null));
}

function joinResult(turns: TranscriptTurn[], message: TranscriptMessage & { kind: 'tool_result' }, at: string): void {
  const index = turns.findLastIndex((turn) => turn.pieces.some((piece) => isCall(piece, message.toolCallId)));
  const turn = turns[index];
  if (turn === undefined) return;
  const result = { output: message.output, isError: message.isError, at };
  const pieces = turn.pieces.map((piece) => (isCall(piece, message.toolCallId) ? { ...piece, result } : piece));
  turns[index] = { ...turn, pieces };
}

function isCall(piece: Piece, toolCallId: string): piece is ToolPiece {
  return piece.kind === 'tool' && piece.toolCallId === toolCallId;
}

function addCost(turns: TranscriptTurn[], message: TranscriptMessage & { kind: 'usage' }, at: string): void {
  const last = turns.at(-1);
  const spent = spentByMessage(message);
  if (last === undefined || last.spent !== null) turns.push({ key: message.key, at, pieces: [], spent, whole: false });
  else turns[turns.length - 1] = { ...last, spent, whole: last.pieces.some((piece) => piece.kind === 'tool') };
}
