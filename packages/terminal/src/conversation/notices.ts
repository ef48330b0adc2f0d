import type { SessionEvent } from '@attractor/agent';
import { EMPTY_LINE, type Line, linesOf, plainLine } from '../themes/line.ts';
import { showCount, showSeconds } from './amounts.ts';
import { handled, type Handlers } from './handlers.ts';

/** One line, or a few, for what a person should know and nobody said. */
export function noticeOf(event: SessionEvent): ReadonlyArray<Line> {
  return handled(NOTICES, event) ?? [];
}

const NOTICES: Handlers = {
  USER_INPUT_REFUSED: ({ reason }) => [plainLine(`✗ A hook refused this input: ${reason}`, 'bad')],
  PROCESSING_END: ({ reason, message = '' }) =>
    reason === 'hook_stopped' ? [plainLine(`✗ A hook stopped the work: ${message}`, 'bad')] : [],
  // What was refused, by a person or by a rule, is told with the result of its call.
  APPROVAL_ANSWERED: ({ allowed, remembered }) => {
    if (!allowed || remembered === undefined) return [];
    const where = remembered.file ?? 'this session';
    return [plainLine(`  ✓ Always allowed: ${remembered.rules.join(', ')} (${where})`, 'dim')];
  },
  HOOK_ENDED: ({ status, event, handler, problem, stderr }) =>
    status === 'success' || status === 'cancelled'
      ? []
      : [plainLine(`! Hook ${event} (${handler}): ${status}. ${problem ?? stderr ?? ''}`.trim(), 'warn')],
  COMPACTED: ({ tokensBefore, tokensAfter }) => [
    EMPTY_LINE,
    plainLine(
      `⋯ Compacted: ${showCount(tokensBefore)} → ${showCount(tokensAfter)} tokens. All of it is still in the journal.`,
      'dim',
    ),
  ],
  TURN_LIMIT: ({ reason }) => [plainLine(`! Stopped at a limit (${reason}). Say "go on" to continue.`, 'warn')],
  LOOP_DETECTION: ({ message }) => [plainLine(`! ${message}`, 'warn')],
  CONTEXT_WARNING: ({ usagePercent }) => [
    plainLine(`! The window is ${Math.round(usagePercent)} % full: /compact makes room.`, 'warn'),
  ],
  WARNING: ({ message }) => linesOf(`! ${message}`, 'warn'),
  CONNECTION_LOST: ({ message, retryInMs }) => [
    plainLine(`! ${message} Trying again in ${showSeconds(retryInMs)}; nothing is lost.`, 'warn'),
  ],
  CONNECTION_RESTORED: () => [plainLine('  The model answers again.', 'dim')],
  ERROR: ({ error }) => linesOf(`✗ ${error.message}`, 'bad'),
};
