/** Why a request failed. An open enum: an unknown code is accepted. */
export type LlmErrorCode =
  | 'authentication'
  | 'access_denied'
  | 'not_found'
  | 'invalid_request'
  | 'context_length'
  | 'rate_limit'
  | 'quota_exceeded'
  | 'overloaded'
  | 'server'
  | 'content_filter'
  | 'timeout'
  | 'network'
  | 'stream'
  | 'abort'
  | 'invalid_tool_call'
  | 'unsupported_tool_choice'
  | 'no_object_generated'
  | 'configuration'
  | (string & {});

export type LlmErrorDetail = {
  readonly code: LlmErrorCode;
  /** Says what happened and what to do; safe to show. */
  readonly message: string;
  readonly retryable: boolean;
  readonly provider?: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The provider's own error code and body, for the log. */
  readonly errorCode?: string;
  readonly raw?: unknown;
  readonly cause?: unknown;
};

/** This package's one failure: a value that can also be thrown. */
export class LlmError extends Error {
  override readonly name = 'LlmError';
  readonly code: LlmErrorCode;
  readonly retryable: boolean;
  readonly provider: string | undefined;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly errorCode: string | undefined;
  readonly raw: unknown;

  constructor(detail: LlmErrorDetail) {
    super(detail.message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.code = detail.code;
    this.retryable = detail.retryable;
    this.provider = detail.provider;
    this.status = detail.status;
    this.retryAfterMs = detail.retryAfterMs;
    this.errorCode = detail.errorCode;
    this.raw = detail.raw;
  }

  /** For logs and wires: with the message, without the cause. */
  toJSON(): LlmErrorDetail {
    const { code, message, retryable, provider, status, retryAfterMs, errorCode, raw } = this;
    const known = Object.entries({ provider, status, retryAfterMs, errorCode, raw }).filter(
      ([, value]) => value !== undefined,
    );
    return { code, message, retryable, ...Object.fromEntries(known) };
  }
}
