import { buildAnswer } from './conversation/build.ts';
import { captureValues, fill } from './conversation/capture.ts';
import type { RequestCounts } from './conversation/request-counts.ts';
import { unmetExpectation } from './conversation/expect.ts';
import { type Place, placeOf } from './conversation/identify.ts';
import type { PromptCache } from './conversation/prompt-cache.ts';
import { activeFaults } from './fault/active.ts';
import { failureResponse, refusalFor } from './fault/refuse.ts';
import { respond } from './fault/respond.ts';
import { shapeAnswer } from './fault/shape-answer.ts';
import type { ModelRequest, Protocol } from './protocol.ts';
import type { RecordedRequest, Recorder } from './record.ts';
import type { Script, Turn } from './script/types.ts';
import type { SimulatedResponse } from './wire/http.ts';

export interface GenerateWorld {
  script: Script;
  requestCounts: RequestCounts;
  cache: PromptCache;
  recorder: Recorder;
}

export interface Generation {
  request: ModelRequest;
  protocol: Protocol;
  record: RecordedRequest;
}

/** Finds the turn, checks that the request is what the script expects, then answers it with its faults. */
export function generate(world: GenerateWorld, generation: Generation): SimulatedResponse {
  const { request, protocol, record } = generation;
  const place = placeOf(world.script, request);
  if (!place) return scriptFailure(world, generation, noConversation(request));
  const attempt = world.requestCounts.next(`${place.key}#${place.position}`);
  Object.assign(record, { conversation: place.key, position: place.position, attempt });
  if (place.conversation.name !== undefined) record.conversationName = place.conversation.name;
  if (!place.turn) return scriptFailure(world, generation, ended(place));
  const faults = activeFaults(place.turn, attempt);
  if (faults.length > 0) record.faults = faults.map((fault) => fault.kind);
  for (const fault of faults) {
    const refused = refusalFor(fault, protocol);
    if (refused) return delayed(refused, place.turn);
  }
  const unmet = unmetExpectation(place.turn, request);
  if (unmet !== undefined) return scriptFailure(world, generation, `${where(place)}: ${unmet}`);
  const prompt = world.cache.measure(request);
  if (world.script.contextTokens !== undefined && prompt.input > world.script.contextTokens) {
    return failureResponse(protocol, protocol.contextOverflow(prompt.input, world.script.contextTokens));
  }
  const turn = fill(place.turn, captureValues(request, [place.conversation.capture, place.turn.capture]));
  const seed = `${place.key}#${place.position}`;
  const built = buildAnswer({ turn, request, seed, callIdPrefix: protocol.callIdPrefix, prompt });
  if ('problem' in built) return scriptFailure(world, generation, `${where(place)}: ${built.problem}`);
  return respond({ answer: shapeAnswer(built.answer, faults, request), request, protocol, turn, faults });
}

function delayed(response: SimulatedResponse, turn: Turn): SimulatedResponse {
  if (!turn.delayMs) return response;
  return { ...response, holdHeaders: true, steps: [{ do: 'wait', ms: turn.delayMs }, ...response.steps] };
}

/** The client is told and the simulator remembers it, so that a test that swallows the error still fails. */
function scriptFailure(world: GenerateWorld, { protocol, record }: Generation, reason: string): SimulatedResponse {
  const message = `script_expectation_failed: ${reason}`;
  world.recorder.fail({ message, request: record });
  return failureResponse(protocol, { kind: 'invalid_request', message, code: 'script_expectation_failed' });
}

function where({ conversation, position, turn }: Place): string {
  const name = conversation.name === undefined ? '' : ` of conversation "${conversation.name}"`;
  return `turn ${position + 1}${turn?.name === undefined ? '' : ` ("${turn.name}")`}${name}`;
}

function ended(place: Place): string {
  return `the script has ended: ${where(place)} was asked for, but there are only ${place.conversation.turns.length} turns and no "otherwise"`;
}

function noConversation(request: ModelRequest): string {
  const first = JSON.stringify(request.firstUser.slice(0, 120));
  return `no conversation of the script matches this request (model ${request.model}, first user text ${first})`;
}
