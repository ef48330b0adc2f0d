import { homedir } from 'node:os';
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
