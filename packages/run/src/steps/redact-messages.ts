import { type AgentDelta, type AgentMessage, type AgentRunResult, redactApproval } from '@attractor/adapters';
import type { ApprovalRequest } from '@attractor/policy';
import { createRedactor, type RedactedStream, redactStream } from '@attractor/redact';

/**
 * Removes secrets from everything an agent says, before it is stored or shown. Foreign agents do not do that themselves; messages of our
 * own agent are already redacted and stay unchanged.
 */
export function redactMessages(secrets: Iterable<string>) {
  const redactor = createRedactor({ secrets });
  const streams = new Map<string, RedactedStream>();
  const streamOf = (name: string): RedactedStream => {
    const known = streams.get(name) ?? redactStream(redactor);
    streams.set(name, known);
    return known;
  };
  return {
    /** The finished message holds all of its text: what was held back live is dropped. */
    message: (message: AgentMessage): AgentMessage => {
      if (message.kind === 'text' || message.kind === 'thinking') streams.delete(`${message.kind}_delta`);
      if (message.kind === 'tool_result') streams.delete(message.toolCallId);
      return redactor.value(message);
    },
    /** Null if nothing of it may be shown yet. */
    delta: (delta: AgentDelta): AgentDelta | null => {
      if (delta.kind === 'reset') {
        streams.clear();
        return delta;
      }
      const name = delta.kind === 'tool_output_delta' ? delta.toolCallId : delta.kind;
      const text = streamOf(name).push(delta.text);
      return text === '' ? null : { ...delta, text };
    },
    approval: (request: ApprovalRequest): ApprovalRequest => redactApproval(redactor, request),
    result: (result: AgentRunResult): AgentRunResult => redactor.value(result),
  };
}
