import { isSealFor, signThinking } from '../../answer/signature.ts';
import { isObject, type JsonObject, objectOf, shown, stringOf } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstFailure, firstOf, invalid } from '../refuse.ts';
import { blocksOf, messagesOf, ofType } from './content.ts';

const DOCS = 'Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking';

/** The thinking switch, and that thinking blocks come back exactly as they were sent. */
export function checkThinking(body: JsonObject, model: string): Failure | undefined {
  const messages = messagesOf(body);
  return firstFailure([
    () => checkSwitch(body),
    () => firstOf(messages, (message, index) => checkBlocks(message, index, model)),
    () => (objectOf(body['thinking'])['type'] === 'enabled' ? checkLoopStart(messages) : undefined),
  ]);
}

function checkSwitch(body: JsonObject): Failure | undefined {
  const thinking = body['thinking'];
  if (thinking === undefined) return undefined;
  const { type, budget_tokens: budget } = objectOf(thinking);
  if (!['enabled', 'disabled', 'adaptive', 'between_tools'].includes(stringOf(type))) {
    return invalid(
      `thinking: Input tag '${shown(type)}' found using 'type' does not match any of the expected tags: 'adaptive', 'disabled', 'enabled'`,
    );
  }
  const sampling = type === 'disabled' ? undefined : checkSampling(body);
  if (sampling || type !== 'enabled') return sampling;
  if (typeof budget !== 'number') return invalid('thinking.enabled.budget_tokens: Field required');
  if (budget < 1024) return invalid('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  if (budget >= Number(body['max_tokens'])) {
    return invalid(`\`max_tokens\` must be greater than \`thinking.budget_tokens\`. ${DOCS}`);
  }
  return undefined;
}

function checkSampling(body: JsonObject): Failure | undefined {
  if (body['temperature'] !== undefined && body['temperature'] !== 1) {
    return invalid(`\`temperature\` may only be set to 1 when thinking is enabled or in adaptive mode. ${DOCS}`);
  }
  if (body['top_k'] !== undefined)
    return invalid(`\`top_k\` must be unset when thinking is enabled or in adaptive mode. ${DOCS}`);
  const choice = objectOf(body['tool_choice'])['type'];
  return choice === 'any' || choice === 'tool'
    ? invalid('Thinking may not be enabled when tool_choice forces tool use.')
    : undefined;
}

function checkBlocks(message: JsonObject, index: number, model: string): Failure | undefined {
  return firstOf(blocksOf(message['content']), (block, at) => {
    const place = `messages.${index}.content.${at}`;
    if (block['type'] === 'redacted_thinking') {
      if (isObject(block['cache_control']))
        return invalid(`${place}.redacted_thinking.cache_control: Extra inputs are not permitted`);
      return isSealFor(model, stringOf(block['data']))
        ? undefined
        : invalid(`${place}: Invalid \`data\` in \`redacted_thinking\` block`);
    }
    if (block['type'] !== 'thinking') return undefined;
    if (isObject(block['cache_control']))
      return invalid(`${place}.thinking.cache_control: Extra inputs are not permitted`);
    const { thinking, signature } = block;
    if (typeof signature !== 'string') return invalid(`${place}.thinking.signature: Field required`);
    if (typeof thinking !== 'string') return invalid(`${place}.thinking.thinking: Field required`);
    return signature === signThinking(model, thinking)
      ? undefined
      : invalid(`${place}: Invalid \`signature\` in \`thinking\` block`);
  });
}

/** While tools are being called, the turn that started the calls must still begin with its thinking. */
function checkLoopStart(messages: JsonObject[]): Failure | undefined {
  const lastResults = ofType(blocksOf(messages.at(-1)?.['content']), 'tool_result');
  if (lastResults.length === 0) return undefined;
  const asked = messages.findLastIndex(
    (message) => message['role'] === 'user' && ofType(blocksOf(message['content']), 'tool_result').length === 0,
  );
  const first = blocksOf(messages[asked + 1]?.['content'])[0];
  if (first === undefined || first['type'] === 'thinking' || first['type'] === 'redacted_thinking') return undefined;
  return invalid(
    `messages.${asked + 1}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${stringOf(first['type'])}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. ${DOCS}`,
  );
}
