import { isObject, type JsonObject, listOf, stringOf } from '../../wire/json.ts';
import type { CheckContext, Failure } from '../../protocol.ts';
import { firstFailure, firstOf, invalid } from '../refuse.ts';
import { blocksOf, messagesOf } from './content.ts';
import { checkMedia } from './strict-media.ts';
import { checkMessages } from './strict-messages.ts';
import { checkThinking } from './strict-thinking.ts';
import { checkPairing } from './strict-pairing.ts';
import { checkTools } from './strict-tools.ts';

const FIELDS = new Set(
  `model messages max_tokens cache_control container context_management diagnostics inference_geo mcp_servers metadata
  output_config output_format service_tier speed stop_sequences stream system temperature thinking thread tool_choice tools
  top_k top_p user_profile_id workspace_id betas`.split(/\s+/),
);

/** Everything the Messages API refuses, in the order in which it checks. A count is the same request without an output limit. */
export function check(given: JsonObject, context: CheckContext): Failure | undefined {
  const body = context.counting ? { max_tokens: 1_000_000, ...given } : given;
  return firstFailure([
    () => checkFields(body),
    () => checkThread(body['thread']),
    () => checkSystem(body),
    () => checkMessages(body),
    () => checkTools(body),
    () => checkCacheMarkers(body),
    () => checkMedia(messagesOf(body)),
    () => checkPairing(messagesOf(body)),
    () => checkThinking(body, context.model),
  ]);
}

/** Nothing is remembered between two requests: every thread is one that the service has lost, and clients then send all of it again. */
function checkThread(thread: unknown): Failure | undefined {
  if (thread === undefined || thread === null) return undefined;
  const { type, previous_message_id: previous } = isObject(thread) ? thread : {};
  if (type === 'create') return undefined;
  if (type !== 'continue')
    return invalid("thread: Input tag does not match any of the expected tags: 'create', 'continue'");
  const message = `thread.previous_message_id: no thread is held under ${stringOf(previous)}`;
  return { kind: 'not_found', message, code: 'thread_not_found' };
}

function checkFields(body: JsonObject): Failure | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return invalid(`${unknown}: Extra inputs are not permitted`);
  const required = ['model', 'max_tokens', 'messages'].find((name) => body[name] === undefined);
  if (required !== undefined) return invalid(`${required}: Field required`);
  if (typeof body['model'] !== 'string') return invalid('model: Input should be a valid string');
  if (body['model'] === '') return invalid('model: String should have at least 1 character');
  const limit = body['max_tokens'];
  if (typeof limit !== 'number' || !Number.isInteger(limit))
    return invalid('max_tokens: Input should be a valid integer');
  if (limit < 1) return invalid('max_tokens: Input should be greater than or equal to 1');
  if (!Array.isArray(body['messages'])) return invalid('messages: Input should be a valid list');
  return checkSampling(body);
}

function checkSampling(body: JsonObject): Failure | undefined {
  const temperature = body['temperature'];
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 1)) {
    return invalid(`temperature: range: 0..1`);
  }
  if (body['stream'] !== undefined && typeof body['stream'] !== 'boolean')
    return invalid('stream: Input should be a valid boolean');
  const blank = listOf(body['stop_sequences']).some((stop) => stringOf(stop).trim() === '');
  return blank ? invalid('stop_sequences: each stop sequence must contain non-whitespace') : undefined;
}

function checkSystem(body: JsonObject): Failure | undefined {
  const system = body['system'];
  if (system === undefined || typeof system === 'string') return undefined;
  if (!Array.isArray(system)) return invalid('system: Input should be a valid list');
  return firstOf(system, (block, index) => {
    if (!isObject(block) || block['type'] !== 'text') return invalid(`system.${index}.type: Input should be 'text'`);
    if (stringOf(block['text']) !== '') return undefined;
    if (isObject(block['cache_control']))
      return invalid(`system.${index}: cache_control cannot be set for empty text blocks`);
    return invalid('system: text content blocks must be non-empty');
  });
}

function checkCacheMarkers(body: JsonObject): Failure | undefined {
  const tools = listOf(body['tools']).filter(isObject);
  const blocks = messagesOf(body).flatMap((message) => blocksOf(message['content']));
  const system = Array.isArray(body['system']) ? blocksOf(body['system']) : [];
  const marked = [...tools, ...system, ...blocks].filter((block) => isObject(block['cache_control']));
  const total = marked.length + (isObject(body['cache_control']) ? 1 : 0);
  return total > 4 ? invalid(`A maximum of 4 blocks with cache_control may be provided. Found ${total}.`) : undefined;
}
