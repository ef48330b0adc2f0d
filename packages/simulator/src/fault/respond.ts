import type { Answer } from '../answer/answer.ts';
import type { ModelRequest, Protocol } from '../protocol.ts';
import type { Fault, Turn } from '../script/types.ts';
import type { SimulatedResponse } from '../wire/http.ts';
import { type Framing, frameEvents, frameJsonArray, PLAIN_FRAMING } from '../wire/sse.ts';
import { findFault } from './active.ts';
import { deliverySteps } from './deliver.ts';
import { failureResponse } from './refuse.ts';
import { streamEvents } from './shape-events.ts';

export interface AnsweredRequest {
  answer: Answer;
  request: ModelRequest;
  protocol: Protocol;
  turn: Turn;
  faults: readonly Fault[];
}

/** A 200 with the answer in it, streamed or whole, with its delivery faults. */
export function respond(answered: AnsweredRequest): SimulatedResponse {
  const { protocol, faults } = answered;
  if (!answered.request.stream && findFault(faults, 'overloaded'))
    return failureResponse(protocol, { kind: 'overloaded' });
  const body = answered.request.stream ? streamBody(answered) : wholeBody(answered);
  const steps = deliverySteps({ ...answered, pieces: body.pieces, opening: body.opening, ping: protocol.ping });
  const held = findFault(faults, 'stall')?.headers === 'held' || (!answered.request.stream && steps[0]?.do === 'wait');
  const headers = { 'content-type': body.type, ...protocol.headers() };
  return { status: 200, headers, steps, ...(held && { holdHeaders: true }) };
}

interface Body {
  type: string;
  pieces: readonly (string | Uint8Array)[];
  opening: number;
}

function streamBody({ answer, request, protocol, faults }: AnsweredRequest): Body {
  const events = streamEvents({ answer, request }, faults, protocol);
  const opening = Math.min(events.length, protocol.opening(answer, request).length);
  if (request.arrayStream)
    return { type: 'application/json; charset=UTF-8', pieces: frameJsonArray(events), opening: 0 };
  if (protocol.frames) return { type: protocol.frames.type, pieces: protocol.frames.frame(events), opening };
  return { type: 'text/event-stream; charset=utf-8', pieces: frameEvents(events, framingOf(faults)), opening };
}

const LINE_ENDS = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

function framingOf(faults: readonly Fault[]): Framing {
  const fault = findFault(faults, 'framing');
  if (!fault) return PLAIN_FRAMING;
  const { lineEnd = 'lf', bom = false, comments = false, multiLine = false } = fault;
  return { lineEnd: LINE_ENDS[lineEnd], bom, comments, multiLine };
}

function wholeBody({ answer, request, protocol, faults }: AnsweredRequest): Body {
  const empty = findFault(faults, 'metadata_only') !== undefined;
  const text = empty ? protocol.metadataOnly(answer, request).body : protocol.complete(answer, request);
  return { type: 'application/json', pieces: [text], opening: 0 };
}
