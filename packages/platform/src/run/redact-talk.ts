import { defined } from '@attractor/base';
import type { AgentDelta, AgentMessage, AgentRunResult, ToolApproval } from '@attractor/adapters';
import { createRedactor, type RedactedStream, redactStream } from '@attractor/redact';

/**
 * Removes secrets from everything an agent says, before it is stored or shown. Foreign agents do not do that themselves; messages of our
 * own agent are already redacted and stay unchanged.
 */
export function redactTalk(secrets: Iterable<string>) {
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
    /** What a person is asked is stored too. A rule that contains a mask would mean something else, so none is offered then. */
    approval: (request: ToolApproval): ToolApproval => {
      const { toolCallId, contentHash, suggestions, ...told } = request;
      const offered = suggestions === undefined || redactor.value(suggestions) === suggestions ? suggestions : [];
      return {
        toolCallId,
        ...redactor.value(told),
        ...defined({ contentHash, suggestions: offered }),
      };
    },
    result: (result: AgentRunResult): AgentRunResult => redactor.value(result),
  };
}
