import { isRecord } from '@attractor/base';
import { type ContentPart, type ImagePart, NO_USAGE } from '@attractor/llm';
import { type Fields, fieldsAt, type ForeignConversation, type ForeignStep, listAt, textAt } from './conversation.ts';

/**
 * A rollout of Codex: `response_item` lines are what the model saw and said; a `compacted` line replaces everything before it with a
 * summary, or another history. What the program itself told the model is left out: our session has its own.
 */
export function readCodex(lines: ReadonlyArray<Fields>): ForeignConversation {
  let steps: ForeignStep[] = [];
  let cwd = '';
  let model = '';
  let provider = 'openai';
  const left = new Map<string, number>();
  for (const line of lines) {
    const payload = fieldsAt(line, 'payload');
    const at = textAt(line, 'timestamp');
    if (line['type'] === 'session_meta') provider = textAt(payload, 'model_provider') || provider;
    if (line['type'] === 'session_meta' || line['type'] === 'turn_context') {
      cwd = textAt(payload, 'cwd') || cwd;
      model = textAt(payload, 'model') || model;
    } else if (line['type'] === 'compacted') {
      steps = [...compactedSteps(payload, { at, model })];
    } else if (line['type'] === 'response_item') {
      const read = Object.hasOwn(ITEMS, textAt(payload, 'type')) ? ITEMS[textAt(payload, 'type')] : undefined;
      if (read === undefined) left.set(textAt(payload, 'type'), (left.get(textAt(payload, 'type')) ?? 0) + 1);
      else steps.push(...read(payload, { at, model }));
    }
  }
  return {
    cwd,
    provider: provider === 'openai' ? 'openai' : provider,
    model: model === '' ? null : model,
    steps,
    left: [...left].map(([kind, count]) => `${count} of ${kind}`),
  };
}

type Place = { readonly at: string; readonly model: string };
type Read = (item: Fields, place: Place) => ReadonlyArray<ForeignStep>;

function compactedSteps(payload: Fields, place: Place): ReadonlyArray<ForeignStep> {
  const history = listAt(payload, 'replacement_history');
  if (history.length > 0) return history.flatMap((item) => ITEMS[textAt(item, 'type')]?.(item, place) ?? []);
  const text = textAt(payload, 'message');
  return text === ''
    ? []
    : [{ kind: 'user', at: place.at, text: `Summary of what was said before:\n${text}`, images: [] }];
}

const ITEMS: Readonly<Record<string, Read>> = {
  message: (item, { at, model }) => {
    const texts = listAt(item, 'content')
      .map((part) => textAt(part, 'text'))
      .filter((text) => text !== '' && !isFromProgram(text));
    const images = listAt(item, 'content').flatMap(imageOf);
    const text = texts.join('\n');
    if (item['role'] === 'assistant') return text === '' ? [] : [assistant({ kind: 'TEXT', text }, { at, model })];
    return item['role'] === 'user' && (text !== '' || images.length > 0) ? [{ kind: 'user', at, text, images }] : [];
  },
  function_call: (item, place) => [callStep(item, { args: textAt(item, 'arguments'), place })],
  custom_tool_call: (item, place) => [callStep(item, { args: { input: textAt(item, 'input') }, place })],
  local_shell_call: (item, place) => [
    callStep({ ...item, name: 'local_shell' }, { args: fieldsAt(item, 'action'), place }),
  ],
  function_call_output: resultStep,
  custom_tool_call_output: resultStep,
  local_shell_call_output: resultStep,
  // Sealed for its provider, and of no use without its request.
  reasoning: () => [],
  ghost_snapshot: () => [],
};

/** What Codex puts before the person's first message. */
function isFromProgram(text: string): boolean {
  return /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|turn_aborted|collaboration_mode)>|# AGENTS\.md instructions)/.test(
    text,
  );
}

function assistant(part: ContentPart, { at, model }: Place): ForeignStep {
  return { kind: 'assistant', at, parts: [part], usage: NO_USAGE, model, responseId: '' };
}

type Call = { readonly args: string | Fields; readonly place: Place };

function callStep(item: Fields, { args, place }: Call): ForeignStep {
  const toolCallId = textAt(item, 'call_id') || textAt(item, 'id');
  return assistant({ kind: 'TOOL_CALL', toolCallId, toolName: textAt(item, 'name'), args: argsOf(args) }, place);
}

function argsOf(args: string | Fields): Fields {
  if (typeof args !== 'string') return args;
  try {
    const value: unknown = JSON.parse(args);
    return isRecord(value) ? value : { input: args };
  } catch {
    return { input: args };
  }
}

function resultStep(item: Fields, { at }: Place): ReadonlyArray<ForeignStep> {
  const { text, isError } = outputOf(item['output']);
  return [{ kind: 'result', at, toolCallId: textAt(item, 'call_id'), output: text, isError, images: [] }];
}

/** A text, a list of parts, or an object of the older form; the text may itself be JSON with the exit code. */
function outputOf(output: unknown): { readonly text: string; readonly isError: boolean } {
  if (Array.isArray(output))
    return {
      text: output
        .filter(isRecord)
        .map((part) => textAt(part, 'text'))
        .join('\n'),
      isError: false,
    };
  if (isRecord(output)) return { text: textAt(output, 'content'), isError: output['success'] === false };
  const text = typeof output === 'string' ? output : '';
  const { output: inner, metadata } = text.startsWith('{"output"') ? argsOf(text) : {};
  if (typeof inner !== 'string') return { text, isError: false };
  return { text: inner, isError: isRecord(metadata) && metadata['exit_code'] !== 0 };
}

function imageOf(part: Fields): ReadonlyArray<ImagePart> {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.+)$/s.exec(textAt(part, 'image_url')) ?? [];
  return mediaType === undefined || data === undefined ? [] : [{ kind: 'IMAGE', source: { data, mediaType } }];
}
