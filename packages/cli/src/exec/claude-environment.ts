import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../settings.ts';

/** What Claude Code needs to find its login, its service and the network; none of our other variables reach it. */
const PASSED =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|ANTHROPIC_\w+|CLAUDE_\w+|DISABLE_\w+|AWS_\w+|GOOGLE_\w+|CLOUD_ML_REGION|(?:HTTPS?|NO|ALL)_PROXY|(?:https?|no|all)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/;

export function claudeVariables(env: Environment): Record<string, string> {
  const passed = Object.entries(env).filter((entry): entry is [string, string] => {
    return entry[1] !== undefined && PASSED.test(entry[0]);
  });
  return Object.fromEntries(passed);
}

/** Whether there are any credentials. An expired login shows when it is used. */
export function isLoggedIn(env: Environment): boolean {
  const keys = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  const folder = env['CLAUDE_CONFIG_DIR'] ?? join(env['HOME'] ?? '', '.claude');
  return keys.some((key) => (env[key] ?? '') !== '') || existsSync(join(folder, '.credentials.json'));
}
