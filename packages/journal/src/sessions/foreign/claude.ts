import { isRecord } from '@attractor/base';
import { type ContentPart, getModelInfo, type ImagePart, NO_USAGE, type Usage } from '@attractor/llm';
import {
  countAt,
  type Fields,
  fieldsAt,
  type ForeignConversation,
  type ForeignStep,
  gapNotes,
  textAt,
  wayUp,
} from './conversation.ts';

/**
 * A transcript of Claude Code. Lines form a tree by `parentUuid`; the conversation is the path from the last line up. Lines of one answer
 * share `message.id`; for calls that were made together only one result may be on that path, so the others are added.
 */
export function readClaude(lines: ReadonlyArray<Fields>): ForeignConversation {
  const own = lines.filter((line) => line['isSidechain'] !== true && textAt(line, 'uuid') !== '');
  const { kept, gaps } = onTheWay(own);
  const spoken = own.filter((line) => kept.has(line) && line['isMeta'] !== true);
  const steps = spoken.flatMap(namedSteps);
  const models = steps.flatMap((step) => (step.kind === 'assistant' && step.model !== '' ? [step.model] : []));
  const side = lines.filter((line) => line['isSidechain'] === true).length;
  return {
    cwd: textAt(own.findLast((line) => textAt(line, 'cwd') !== '') ?? {}, 'cwd'),
    provider: getModelInfo(models.at(-1) ?? '')?.provider ?? 'anthropic',
    model: models.at(-1) ?? null,
    steps,
    left: [
      ...(side === 0 ? [] : [`${side} ${side === 1 ? 'line' : 'lines'} of subagents`]),
      ...gapNotes(gaps),
      ...unknownParts(spoken),
    ],
  };
}

/** Thinking is known and left out: see `partOf`. */
const KNOWN = new Set(['text', 'image', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking']);

function unknownParts(lines: ReadonlyArray<Fields>): ReadonlyArray<string> {
  const counts = new Map<string, number>();
  for (const { type } of lines.flatMap(blocksOf))
    if (typeof type === 'string' && !KNOWN.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${count} of ${kind}`);
}

function onTheWay(lines: ReadonlyArray<Fields>): { readonly kept: ReadonlySet<Fields>; readonly gaps: number } {
  const last = lines.findLast(({ type }) => type === 'user' || type === 'assistant');
  const { way, gaps } = wayUp(lines, last, { id: 'uuid', parent: 'parentUuid' });
  const kept = new Set(way);
  const answers = new Set([...kept].map(responseOf).filter(Boolean));
  for (const line of lines) if (answers.has(responseOf(line))) kept.add(line);
  const calls = new Set(
    [...kept].flatMap(blocksOf).flatMap((block) => (block['type'] === 'tool_use' ? [block['id']] : [])),
  );
  for (const line of lines)
    if (blocksOf(line).some((block) => block['type'] === 'tool_result' && calls.has(block['tool_use_id'])))
      kept.add(line);
  return { kept, gaps };
}

function responseOf(line: Fields): string {
  return line['type'] === 'assistant' ? textAt(fieldsAt(line, 'message'), 'id') : '';
}

function blocksOf(line: Fields): ReadonlyArray<Fields> {
  const { content } = fieldsAt(line, 'message');
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A line of several steps names the last of them. */
function namedSteps(line: Fields): ReadonlyArray<ForeignStep> {
  const uuid = textAt(line, 'uuid');
  const steps = stepsOf(line);
  if (!UUID.test(uuid)) return steps;
  return steps.map((step, at) => (at === steps.length - 1 ? { ...step, uuid } : step));
}

function stepsOf(line: Fields): ReadonlyArray<ForeignStep> {
  const at = textAt(line, 'timestamp');
  if (line['type'] === 'assistant') return assistantStep(line, at);
  if (line['type'] !== 'user') return [];
  const blocks = blocksOf(line);
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block): ForeignStep => {
      const { text, images } = contentOf(block['content']);
      const isError = block['is_error'] === true;
      return { kind: 'result', at, toolCallId: textAt(block, 'tool_use_id'), output: text, isError, images };
    });
  const { text, images } = contentOf(blocks.filter(({ type }) => type !== 'tool_result'));
  return text === '' && images.length === 0 ? results : [...results, { kind: 'user', at, text, images }];
}

function assistantStep(line: Fields, at: string): ReadonlyArray<ForeignStep> {
  const message = fieldsAt(line, 'message');
  const model = textAt(message, 'model');
  // What the program itself said in the model's place, such as that the network was gone.
  if (model === '<synthetic>' || line['isApiErrorMessage'] === true) return [];
  const parts = blocksOf(line).flatMap(partOf);
  const usage = usageOf(fieldsAt(message, 'usage'));
  return parts.length === 0 ? [] : [{ kind: 'assistant', at, parts, usage, model, responseId: textAt(message, 'id') }];
}

/** Thinking is left out: a provider only accepts it as it signed it, and a finished turn does not need it. */
function partOf(block: Fields): ReadonlyArray<ContentPart> {
  switch (block['type']) {
    case 'text':
      return textAt(block, 'text') === '' ? [] : [{ kind: 'TEXT', text: textAt(block, 'text') }];
    case 'tool_use':
      return [
        {
          kind: 'TOOL_CALL',
          toolCallId: textAt(block, 'id'),
          toolName: textAt(block, 'name'),
          args: fieldsAt(block, 'input'),
        },
      ];
    default:
      return [];
  }
}

type Content = { readonly text: string; readonly images: ReadonlyArray<ImagePart> };

function contentOf(content: unknown): Content {
  if (typeof content === 'string') return { text: content, images: [] };
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  const text = blocks.flatMap((block) => (block['type'] === 'text' ? [textAt(block, 'text')] : []));
  return { text: text.join('\n'), images: blocks.flatMap(imageOf) };
}

function imageOf(block: Fields): ReadonlyArray<ImagePart> {
  const source = fieldsAt(block, 'source');
  if (block['type'] !== 'image' || source['type'] !== 'base64') return [];
  return [{ kind: 'IMAGE', source: { data: textAt(source, 'data'), mediaType: textAt(source, 'media_type') } }];
}

function usageOf(usage: Fields): Usage {
  const cacheReadTokens = countAt(usage, 'cache_read_input_tokens');
  const cacheWriteTokens = countAt(usage, 'cache_creation_input_tokens');
  const inputTokens = countAt(usage, 'input_tokens') + cacheReadTokens + cacheWriteTokens;
  const outputTokens = countAt(usage, 'output_tokens');
  if (inputTokens + outputTokens === 0) return NO_USAGE;
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cacheReadTokens, cacheWriteTokens };
}
