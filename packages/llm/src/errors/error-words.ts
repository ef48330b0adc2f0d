import type { LlmErrorCode } from '../types/error.ts';

/**
 * Providers' names for their failures. `decisive` words override the HTTP status (a spend cap arrives as 429, an overflow as 400);
 * `plain` words only decide if there is no status, as inside a stream. gRPC names are Gemini's.
 */
export const DECISIVE_WORDS: Readonly<Record<string, LlmErrorCode>> = {
  insufficient_quota: 'quota_exceeded',
  billing_error: 'quota_exceeded',
  billing_hard_limit_reached: 'quota_exceeded',
  billing_not_active: 'quota_exceeded',
  enforced_spend_limit_reached: 'quota_exceeded',
  spend_limit_reached: 'quota_exceeded',
  credit_balance_too_low: 'quota_exceeded',
  insufficient_credits: 'quota_exceeded',
  exceeded_current_quota_error: 'quota_exceeded',
  arrearage: 'quota_exceeded',
  context_length_exceeded: 'context_length',
  request_too_large: 'context_length',
  string_above_max_length: 'context_length',
  exceed_context_size_error: 'context_length',
  model_max_prompt_tokens_exceeded: 'context_length',
  overloaded_error: 'overloaded',
  overloaded: 'overloaded',
  engine_overloaded: 'overloaded',
  engine_overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  invalid_api_key: 'authentication',
  api_key_invalid: 'authentication',
  content_policy_violation: 'content_filter',
  content_filter: 'content_filter',
  model_not_found: 'not_found',
};

export const PLAIN_WORDS: Readonly<Record<string, LlmErrorCode>> = {
  authentication_error: 'authentication',
  unauthenticated: 'authentication',
  permission_error: 'access_denied',
  permission_denied: 'access_denied',
  not_found_error: 'not_found',
  not_found: 'not_found',
  invalid_request_error: 'invalid_request',
  invalid_argument: 'invalid_request',
  invalid_prompt: 'invalid_request',
  failed_precondition: 'invalid_request',
  out_of_range: 'invalid_request',
  rate_limit_error: 'rate_limit',
  rate_limit_exceeded: 'rate_limit',
  too_many_requests: 'rate_limit',
  resource_exhausted: 'rate_limit',
  slow_down: 'rate_limit',
  api_error: 'server',
  server_error: 'server',
  internal_server_error: 'server',
  internal: 'server',
  unavailable: 'server',
  unknown: 'server',
  aborted: 'server',
  timeout_error: 'timeout',
  deadline_exceeded: 'timeout',
};

export const BY_STATUS: Readonly<Record<number, LlmErrorCode>> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'quota_exceeded',
  403: 'access_denied',
  404: 'not_found',
  405: 'not_found',
  408: 'timeout',
  409: 'server',
  413: 'context_length',
  422: 'invalid_request',
  425: 'server',
  429: 'rate_limit',
  498: 'overloaded',
  529: 'overloaded',
};

/** Used only if the status allows it: `statuses` lists those; 0 means none. */
export const SNIFFS: ReadonlyArray<{
  readonly code: LlmErrorCode;
  readonly statuses: ReadonlyArray<number>;
  readonly text: RegExp;
}> = [
  {
    code: 'context_length',
    statuses: [0, 400, 422, 500],
    text: /prompt is too long|maximum context|context (length|window|size)|exceeds? the (maximum|available) (number of (input )?tokens|context)|input token count.{0,40}exceeds|too many (input )?tokens(?!, please wait)|input is too long|input length and .?max_tokens.? exceed|reduce the length of (the|your) (messages|prompt|input)|maximum prompt length is|exceeded model token limit|exceeds? the maximum allowed input length|token limit exceeded|tokens in request more than max tokens allowed/i,
  },
  {
    code: 'context_length',
    statuses: [0, 400, 422, 500],
    text: /prompt exceeds max length|range of input length should be|(prompt|input) token count.{0,40}exceeds|must have less than \d+ tokens|tokens \+ .?max_new_tokens|maximum supported sequence length|exceed max message tokens|(prompt|input) tokens too long|number of input tokens \d+ cannot exceed|prompt (has|contains) \d+ tokens.{0,60}(limit|maximum|too large)/i,
  },
  {
    code: 'quota_exceeded',
    statuses: [0, 400, 403],
    text: /credit balance is too low|spend(ing)? (limit|cap)|specified api usage limits|out of credits|insufficient (funds|credits|balance)/i,
  },
  {
    code: 'quota_exceeded',
    statuses: [429],
    text: /spend(ing)? (limit|cap)|monthly (limit|budget)|insufficient (funds|credits|balance|quota)/i,
  },
  {
    code: 'authentication',
    statuses: [0, 400, 403],
    text: /(invalid|incorrect|missing|not valid|expired).{0,20}api[ _-]?key|api[ _-]?key.{0,20}(invalid|incorrect|missing|not valid|expired)|security token included in the request is (invalid|expired)/i,
  },
  {
    code: 'content_filter',
    statuses: [0, 400],
    text: /content (filter|policy|management policy)|safety system|blocked by.{0,30}safety/i,
  },
  { code: 'not_found', statuses: [0, 400], text: /model .{0,80}(not found|does not exist)|unknown model/i },
  { code: 'overloaded', statuses: [0, 500, 503], text: /overloaded/i },
];
