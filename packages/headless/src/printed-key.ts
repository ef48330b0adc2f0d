import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '@attractor/base';
import { LlmError } from '@attractor/llm';
import { type Variables, withOwn } from '@attractor/system';

const HELPER_MS = 60_000;

/** Runs the command that prints a key when one is needed. Rejects with one line that says what is wrong with it. */
export function keyHelper(command: string, env: Variables): () => Promise<string> {
  return async () => {
    const { createLocalExecutionEnvironment } = await import('@attractor/agent');
    const variables = (): Record<string, string> => withOwn({}, env);
    const environment = createLocalExecutionEnvironment(env['HOME'] ?? homedir(), 'inherit_none', { env, variables });
    try {
      const ran = await environment.execCommand(command, { timeoutMs: HELPER_MS });
      const key = ran.stdout.trim();
      if (ran.exitCode === 0 && key !== '') return key;
      const why = ran.timedOut
        ? 'it took longer than a minute'
        : ran.stderr.trim() || `it ended with code ${ran.exitCode}`;
      throw new LlmError({
        code: 'authentication',
        message: `The key helper "${command}" gave no key: ${why}. Fix it where apiKeyHelper is set, or set a key.`,
        retryable: false,
      });
    } finally {
      await environment.cleanup();
    }
  };
}

/** `apiKeyHelper` of a person's own settings; a repository's is never run. */
export function claudeKeyHelper(env: Variables): string | undefined {
  try {
    const text = readFileSync(join(env['HOME'] ?? homedir(), '.claude', 'settings.json'), 'utf8');
    const value: unknown = JSON.parse(text);
    return isRecord(value) && typeof value['apiKeyHelper'] === 'string' ? value['apiKeyHelper'] : undefined;
  } catch {
    return undefined;
  }
}
