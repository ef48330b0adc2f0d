import type { SessionEvent } from '@attractor/agent';
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';

type Severity = 'info' | 'warning' | 'error';

type Notices = {
  readonly [Kind in SessionEvent['kind']]?: (
    event: Extract<SessionEvent, { readonly kind: Kind }>,
  ) => readonly [Severity, string] | null;
};

/** What a person should know besides what the agent says. */
const NOTICES: Notices = {
  WARNING: ({ message }) => ['warning', message],
  LOOP_DETECTION: ({ message }) => ['warning', message],
  CONTEXT_WARNING: ({ usagePercent }) => [
    'info',
    `The conversation fills ${Math.round(usagePercent)} % of the window.`,
  ],
  COMPACTED: ({ tokensBefore, tokensAfter }) => [
    'info',
    `The conversation was shortened from about ${tokensBefore} to ${tokensAfter} tokens.`,
  ],
  CONNECTION_LOST: ({ message, retryInMs }) => [
    'warning',
    `${message} It will be retried in ${Math.ceil(retryInMs / 1_000)} s.`,
  ],
  CONNECTION_RESTORED: () => ['info', 'The service answers again.'],
  TURN_LIMIT: () => ['warning', 'The limit of turns is reached.'],
  USER_INPUT_REFUSED: ({ reason }) => ['warning', reason],
  PROCESSING_END: ({ reason, message = '' }) =>
    reason === 'hook_stopped' ? ['warning', `A hook stopped the work: ${message}`] : null,
  ASSISTANT_TEXT_DISCARDED: ({ reason }) => ['warning', `The answer broke off (${reason}); the model is asked again.`],
  HOOK_ENDED: ({ status, problem, handler }) =>
    status === 'error' || status === 'timeout' ? ['warning', `Hook ${handler}: ${problem ?? status}`] : null,
  ERROR: ({ error }) => ['error', error.message],
};

export function noticeOf(event: SessionEvent): readonly [Severity, string] | null {
  const notice = NOTICES[event.kind] as ((event: SessionEvent) => readonly [Severity, string] | null) | undefined;
  return notice?.(event) ?? null;
}

/** An editor without notices gets it as a thought: seen, and apart from the answer. */
export function noticeUpdate([severity, title]: readonly [Severity, string], showsNotices: boolean): SessionUpdate {
  if (showsNotices) return { sessionUpdate: 'notice', severity, title };
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${title}\n\n` } };
}
