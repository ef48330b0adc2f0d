import type { Answer } from '../answer/answer.ts';
import type { ModelRequest, Protocol } from '../protocol.ts';
import type { Fault } from '../script/types.ts';
import type { WireEvent } from '../wire/sse.ts';
import { findFault } from './active.ts';

/** The events of a stream after the faults that add or remove events. */
export function streamEvents(
  answered: { answer: Answer; request: ModelRequest },
  faults: readonly Fault[],
  protocol: Protocol,
): WireEvent[] {
  const { answer, request } = answered;
  if (findFault(faults, 'metadata_only')) return protocol.metadataOnly(answer, request).events;
  const events = protocol.stream(answer, request);
  const overloaded = findFault(faults, 'overloaded');
  if (overloaded) return overloadedEvents(events, overloaded.at === 'output', protocol);
  if (findFault(faults, 'unknown_events')) {
    return events.flatMap((event, index) =>
      index === 0 ? [event, protocol.unknownEvent] : [protocol.unknownEvent, event],
    );
  }
  return events;
}

/** Cut before the first output, or in the middle of it, with the service's own error as the last event. */
function overloadedEvents(events: WireEvent[], afterOutput: boolean, protocol: Protocol): WireEvent[] {
  const outputs = events.flatMap((event, index) => (event.output ? [index] : []));
  const first = outputs[0] ?? events.length;
  const middle = outputs[Math.floor(outputs.length / 2)] ?? first;
  const kept = events.slice(0, afterOutput ? Math.max(first, middle) + 1 : first);
  return [...kept, ...protocol.streamFailure({ kind: 'overloaded' })];
}
