import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { defined } from '@attractor/base';
import type { AudioPart, ContentPart, DocumentPart, ImagePart, ToolResultPart } from '../types/content.ts';
import { LlmError } from '../types/error.ts';
import type { Message } from '../types/message.ts';
import type { Lowering } from './protocol.ts';
import { isWireName } from './tool-names.ts';

export type MessageForm = {
  readonly service: string;
  /** Absent: audio is refused with a clear error; documents likewise. */
  readonly media: ReadonlyArray<'AUDIO' | 'DOCUMENT'>;
  /** The SDK's options that carry a part's proof back to its provider. */
  readonly proofOptions: (
    part: Extract<ContentPart, { kind: 'THINKING' | 'REDACTED_THINKING' | 'TOOL_CALL' }>,
  ) => SharedV4ProviderOptions | undefined;
};

/** Valid messages in the SDK's prompt shape. */
export function lowerMessages({ messages, wireName }: Lowering, form: MessageForm): LanguageModelV4Prompt {
  const made = madeFor(form);
  return messages.map((message, at) => {
    const before = made.get(message);
    if (before !== undefined) return before;
    const lowered = lowerMessage({ messages, at, wireName }, form);
    if (keepsNames(lowered, message)) made.set(message, lowered);
    return lowered;
  });
}

/** Messages never change, and neither does their lowered form unless a tool's name has to be fixed: each is lowered once. */
const madeBefore = new WeakMap<MessageForm, WeakMap<Message, LanguageModelV4Message>>();

function madeFor(form: MessageForm): WeakMap<Message, LanguageModelV4Message> {
  const made = madeBefore.get(form) ?? new WeakMap<Message, LanguageModelV4Message>();
  madeBefore.set(form, made);
  return made;
}

function keepsNames({ role, content }: LanguageModelV4Message, message: Message): boolean {
  if (role === 'tool') return content.every((part) => part.type !== 'tool-result' || isWireName(part.toolName));
  return message.content.every((part) => part.kind !== 'TOOL_CALL' || isWireName(part.toolName));
}

type Place = {
  readonly messages: ReadonlyArray<Message>;
  readonly at: number;
  readonly wireName: (name: string) => string;
};

function lowerMessage({ messages, at, wireName }: Place, form: MessageForm): LanguageModelV4Message {
  const { role, content } = messages[at] ?? NO_MESSAGE;
  if (role === 'user') return { role, content: content.flatMap((part) => lowerUserPart(part, form)) };
  if (role === 'assistant') {
    return { role, content: content.flatMap((part) => lowerAssistantPart(part, form, wireName)) };
  }
  if (role === 'tool') {
    const nameOf = (id: string): string => wireName(callName(messages, at, id) ?? 'unknown');
    const results = content.flatMap((part) => (part.kind === 'TOOL_RESULT' ? [part] : []));
    return { role, content: results.map((part) => lowerResult(part, nameOf(part.toolCallId))) };
  }
  return { role: 'system', content: content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('\n\n') };
}

const NO_MESSAGE: Message = { role: 'user', content: [] };

/** The call is in the nearest answer before its result. */
function callName(messages: ReadonlyArray<Message>, at: number, toolCallId: string): string | undefined {
  for (let before = at - 1; before >= 0; before -= 1) {
    for (const part of messages[before]?.content ?? []) {
      if (part.kind === 'TOOL_CALL' && part.toolCallId === toolCallId) return part.toolName;
    }
  }
  return undefined;
}

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];

function lowerUserPart(part: ContentPart, form: MessageForm): UserContent {
  switch (part.kind) {
    case 'TEXT':
      return [{ type: 'text', text: part.text }];
    case 'IMAGE':
      return [lowerImage(part)];
    case 'AUDIO':
    case 'DOCUMENT':
      return [lowerFile(part, form)];
    default:
      return [];
  }
}

function lowerImage(part: ImagePart): LanguageModelV4FilePart {
  const { detail } = part;
  return {
    type: 'file',
    mediaType: part.source.mediaType ?? typeByName(part.source.url),
    data: dataOf(part),
    ...(detail === undefined ? {} : { providerOptions: { openai: { imageDetail: detail } } }),
  };
}

const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
};

/** Some providers want a full media type even for an image that they fetch themselves. */
function typeByName(url: string | undefined): string {
  const ending = /\.(\w+)(?:[?#]|$)/.exec(url ?? '')?.[1]?.toLowerCase() ?? '';
  return TYPES_BY_ENDING[ending] ?? 'image/png';
}

const FILE_DEFAULTS = { AUDIO: 'audio/wav', DOCUMENT: 'application/pdf' } as const;

function lowerFile(part: AudioPart | DocumentPart, form: MessageForm): LanguageModelV4FilePart {
  if (!form.media.includes(part.kind)) {
    const what = part.kind === 'AUDIO' ? 'audio' : 'documents';
    throw new LlmError({
      code: 'invalid_request',
      message: `${form.service} takes no ${what}. Send text instead, or use another provider.`,
      retryable: false,
      provider: form.service,
    });
  }
  const filename = part.kind === 'DOCUMENT' ? part.fileName : undefined;
  return {
    type: 'file',
    mediaType: part.source.mediaType ?? FILE_DEFAULTS[part.kind],
    data: dataOf(part),
    ...defined({ filename }),
  };
}

function dataOf({ source }: ImagePart | AudioPart | DocumentPart): LanguageModelV4FilePart['data'] {
  if (source.data !== undefined) return { type: 'data', data: source.data };
  const url = URL.parse(source.url);
  if (url !== null) return { type: 'url', url };
  throw new LlmError({
    code: 'invalid_request',
    message: `"${source.url}" is not a URL. Read a local file with imageFromFile first.`,
    retryable: false,
  });
}

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

function lowerAssistantPart(
  part: ContentPart,
  form: MessageForm,
  wireName: (name: string) => string,
): AssistantContent {
  switch (part.kind) {
    case 'TEXT':
      return [{ type: 'text', text: part.text }];
    case 'THINKING':
    case 'REDACTED_THINKING': {
      const providerOptions = form.proofOptions(part);
      return providerOptions === undefined
        ? []
        : [{ type: 'reasoning', text: part.kind === 'THINKING' ? part.text : '', providerOptions }];
    }
    case 'TOOL_CALL': {
      const providerOptions = form.proofOptions(part);
      return [
        {
          type: 'tool-call',
          toolCallId: part.toolCallId,
          toolName: wireName(part.toolName),
          input: part.args,
          ...defined({ providerOptions }),
        },
      ];
    }
    default:
      return [];
  }
}

type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number];

function lowerResult(part: ToolResultPart, toolName: string): ToolContent {
  const { toolCallId, output, images } = part;
  if (images === undefined || images.length === 0) {
    return {
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: part.isError ? 'error-text' : 'text', value: output },
    };
  }
  const text = output.trim() === '' ? [] : [{ type: 'text' as const, text: output }];
  return {
    type: 'tool-result',
    toolCallId,
    toolName,
    output: { type: 'content', value: [...text, ...images.map(lowerImage)] },
  };
}
