/**
 * What a protocol family demands of a conversation. `validHistory` makes any list of messages comply.
 * `origin` names the provider and model that will read it: only their own signed thinking may stay.
 */
export type HistoryRules = {
  /** `leading`: system text comes before everything else; `anywhere`: it may come between turns. */
  readonly system: 'leading' | 'anywhere';
  /** `merged`: neighbours of the same role become one message. */
  readonly neighbours: 'merged' | 'free';
  /** Whether the first message must be a person's, and whether the last one must not be the model's. */
  readonly firstIsUser: boolean;
  readonly lastIsUser: boolean;
  /** `signed`: kept with the signature of the same origin; `dropped`: never sent. */
  readonly thinking: 'signed' | 'dropped';
  /** Whether thinking may be the answer's last part. */
  readonly thinkingMayEnd: boolean;
  readonly callId: RegExp;
  /** Whether tool results may contain images; otherwise they follow in a user message. */
  readonly imagesInResults: boolean;
  readonly maxImages: number;
  readonly maxImageBytes: number;
  readonly imageTypes: ReadonlyArray<string>;
  readonly origin?: string;
};

const COMMON_IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const MEGABYTE = 1024 * 1024;

export const HISTORY_RULES = {
  anthropic: {
    system: 'leading',
    neighbours: 'merged',
    firstIsUser: true,
    lastIsUser: true,
    thinking: 'signed',
    thinkingMayEnd: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    imagesInResults: true,
    maxImages: 100,
    maxImageBytes: 5 * MEGABYTE,
    imageTypes: COMMON_IMAGES,
  },
  openai: {
    system: 'anywhere',
    neighbours: 'free',
    firstIsUser: false,
    lastIsUser: false,
    thinking: 'signed',
    thinkingMayEnd: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    imagesInResults: true,
    maxImages: 500,
    maxImageBytes: 20 * MEGABYTE,
    imageTypes: COMMON_IMAGES,
  },
  'openai-chat': {
    system: 'anywhere',
    neighbours: 'free',
    firstIsUser: false,
    lastIsUser: false,
    thinking: 'dropped',
    thinkingMayEnd: true,
    // Services have ids of their own making, such as `functions.bash:0`, and some read the number in it: they go back as they came.
    callId: /^[!-~]{1,64}$/,
    imagesInResults: false,
    maxImages: 500,
    maxImageBytes: 20 * MEGABYTE,
    imageTypes: COMMON_IMAGES,
  },
  gemini: {
    system: 'leading',
    neighbours: 'merged',
    firstIsUser: true,
    lastIsUser: true,
    thinking: 'signed',
    thinkingMayEnd: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    imagesInResults: false,
    maxImages: 3000,
    maxImageBytes: 20 * MEGABYTE,
    imageTypes: [...COMMON_IMAGES, 'image/heic', 'image/heif'],
  },
} as const satisfies Readonly<Record<string, HistoryRules>>;
