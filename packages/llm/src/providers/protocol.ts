import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4ProviderTool } from '@ai-sdk/provider';
import type { CloudSettings } from '../clouds/cloud-settings.ts';
import type { HistoryRules } from '../history/rules.ts';
import type { Message } from '../types/message.ts';
import type { Request, WebSearch } from '../types/request.ts';
import type { Warning } from '../types/response.ts';
import type { LiftContext } from './lift.ts';

/** How to reach one service. The base URL is the one that people write; each protocol appends its own path. */
export type Endpoint = {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The key is a token for `Authorization: Bearer`. */
  readonly isBearer: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** What a cloud needs beyond that; its base URL is empty if its place says where it is. */
  readonly cloud: CloudSettings;
  readonly fetch: typeof globalThis.fetch;
};

/** A request with a valid history and valid tool names. */
export type Lowering = {
  readonly service: string;
  readonly request: Request;
  /** The whole conversation, and the part that the SDK converts. */
  readonly history: ReadonlyArray<Message>;
  readonly messages: ReadonlyArray<Message>;
  readonly wireName: (toolName: string) => string;
};

export type Lowered = { readonly call: LanguageModelV4CallOptions; readonly warnings?: ReadonlyArray<Warning> };

/**
 * The differences between protocol families. `load` imports the SDK's package on first use; `lower` is pure and may throw
 * `LlmError` for what the family cannot do. SDK shapes appear here and in this folder only.
 */
export type Protocol = {
  readonly rules: HistoryRules;
  readonly load: (endpoint: Endpoint, service: string) => Promise<(model: string) => LanguageModelV4>;
  readonly lower: (lowering: Lowering) => Lowered;
  readonly proofOf: LiftContext['proofOf'];
  readonly finishWord?: string;
  /** The service's own tool that searches the web. */
  readonly searchTool?: (wish: WebSearch) => LanguageModelV4ProviderTool;
  /** The bytes of older turns can be sent again: see `growing-body.ts`. */
  readonly keepsBytes?: true;
};
