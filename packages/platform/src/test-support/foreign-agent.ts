import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Agent, AgentMessage, AgentRunOptions } from '@attractor/adapters';

/** A foreign agent: a real process that prints its lines, runs until it ends, and knows nothing of our rules. */
export function createForeignAgent(script: string, tell: (line: string) => ReadonlyArray<AgentMessage>): Agent {
  const run = async (options: AgentRunOptions) => {
    const child = spawn(process.execPath, ['-e', script], {
      cwd: options.projectPath,
      env: { ...options.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (child.pid !== undefined) options.onPidAssigned?.(child.pid);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (text + piece).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        options.onDelta({ kind: 'text_delta', text: line });
        for (const message of tell(line)) options.onMessage(message);
      }
    });
    const [code] = await once(child, 'close');
    return {
      exitCode: typeof code === 'number' ? code : 1,
      finalText: 'done <<<OUTCOME:pr_ready>>>',
      tokenUsage: { inputTokens: 70, outputTokens: 7, totalCost: null },
    };
  };
  return {
    type: 'foreign',
    displayName: 'Foreign agent',
    isAvailable: async () => ({ available: true }),
    getDefaultConfig: () => ({ model: 'foreign-1', timeout: 600_000, autoCommit: true }),
    run,
  };
}
