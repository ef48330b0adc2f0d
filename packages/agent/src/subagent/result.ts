import type { Session } from '../contract/session.ts';
import type { SubagentResult, Turn } from '../types/index.ts';

/** What a parent learns about a finished child. Only an answer by the model counts as its own end; a limit or a failure does not. */
export function resultOf(session: Session, problem: Error | null): SubagentResult {
  const turns = session.history();
  const text = lastText(turns);
  const success = problem === null && session.state() === 'IDLE' && turns.at(-1)?.kind === 'assistant';
  return {
    output: problem === null ? text : [text, `Failed: ${problem.message}`].filter(Boolean).join('\n'),
    success,
    turnsUsed: turns.filter((turn) => turn.kind === 'tool_results').length,
  };
}

export function textOfResult({ output, success, turnsUsed }: SubagentResult): string {
  return JSON.stringify({ output, success, turnsUsed });
}

function lastText(turns: ReadonlyArray<Turn>): string {
  for (const turn of turns.toReversed()) {
    if (turn.kind !== 'assistant') continue;
    const text = turn.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
    if (text !== '') return text;
  }
  return '';
}
