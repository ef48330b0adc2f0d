/** By the code of a model's failure: its name on the published wire. */
const ERRORS: Readonly<Record<string, string>> = {
  rate_limit: 'rate_limit',
  overloaded: 'overloaded',
  authentication: 'authentication_failed',
  permission: 'oauth_org_not_allowed',
  access_denied: 'oauth_org_not_allowed',
  quota_exceeded: 'billing_error',
  invalid_request: 'invalid_request',
  context_length: 'invalid_request',
  not_found: 'model_not_found',
  server: 'server_error',
};

export function stopFailureOf(error: Error): { readonly error: string; readonly error_details: string } {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return {
    error: Object.hasOwn(ERRORS, code) ? (ERRORS[code] ?? 'unknown') : 'unknown',
    error_details: error.message,
  };
}
