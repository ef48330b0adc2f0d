import type { ContentPart } from '@attractor/llm';
import type { SessionEvent } from '../events/event.ts';
import type { Redactor } from '@attractor/redact';

/**
 * The event without secrets, the same object if it had none. What is not searchable text stays byte for byte: images, and what a provider
 * signed or sealed, which it would refuse with one character changed.
 */
export function redactEvent(event: SessionEvent, redactor: Redactor): SessionEvent {
  switch (event.kind) {
    case 'SUBAGENT_EVENT':
      return event;
    case 'ASSISTANT_MESSAGE': {
      const content = redactParts(event.content, redactor);
      return content === event.content ? event : { ...event, content };
    }
    case 'TOOL_CALL_END': {
      const { images, ...rest } = event;
      const redacted = redactor.value(rest);
      if (redacted.output === rest.output) return event;
      return images === undefined ? redacted : { ...redacted, images };
    }
    case 'USER_INPUT':
    case 'FOLLOW_UP_QUEUED': {
      const { parts, ...rest } = event;
      const redacted = redactor.value(rest);
      return parts === undefined ? redacted : { ...redacted, parts: redactParts(parts, redactor) };
    }
    default:
      return redactor.value(event);
  }
}

function redactParts<Part extends ContentPart>(parts: ReadonlyArray<Part>, redactor: Redactor): ReadonlyArray<Part>;
function redactParts(parts: ReadonlyArray<ContentPart>, redactor: Redactor): ReadonlyArray<ContentPart> {
  const redacted = parts.map((part) => redactPart(part, redactor));
  return redacted.every((part, index) => part === parts[index]) ? parts : redacted;
}

function redactPart(part: ContentPart, redactor: Redactor): ContentPart {
  switch (part.kind) {
    case 'REDACTED_THINKING':
      return part;
    case 'IMAGE':
    case 'AUDIO':
    case 'DOCUMENT':
      return part.source.url === undefined ? part : redactor.value(part);
    case 'THINKING': {
      const text = redactor.text(part.text);
      if (text === part.text) return part;
      const { signature: _over, ...unsigned } = part;
      return { ...unsigned, text };
    }
    case 'TOOL_CALL': {
      const { signature, ...rest } = part;
      const redacted = redactor.value(rest);
      if (redacted === rest) return part;
      return signature === undefined ? redacted : { ...redacted, signature };
    }
    default:
      return redactor.value(part);
  }
}
