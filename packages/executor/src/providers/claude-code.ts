import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { done, failed } from '@attractor/base';
import type { JournalRecord } from '@attractor/journal';
import type { Provider, ProviderFactory, ProviderHost, ProviderResult, Response, Session } from '../provider.ts';
import { sdkMissing, thrownError } from './claude-errors.ts';
import type { ClaudeCodeOptions } from './claude-options.ts';
import { type ClaudeSdk, installCommand, loadClaudeSdk } from './claude-sdk.ts';

export const CLAUDE_CODE = 'claude-code';

/**
 * Claude Code, through its SDK. It calls the six tools through the host, as an MCP server in this process; its own tools are switched off.
 * The session is Claude Code's own and is resumed by its id.
 */
export function createClaudeCodeProvider(options: ClaudeCodeOptions): ProviderFactory {
  return { id: CLAUDE_CODE, open: (host) => openProvider(options, host) };
}

const CONTINUE =
  'The process stopped while you worked on the last message. A call that was running then may or may not have had its effect: look before you repeat it. Go on from there and finish.';

const NEVER_INCOMPLETE =
  'Claude Code runs its tools itself and has no calls open: send a message instead of results, or resume the session.';

function openProvider(options: ClaudeCodeOptions, host: ProviderHost): Provider {
  let sdk: Promise<ClaudeSdk | null> | undefined;
  const send = async ({ id }: Session, message: string): Promise<ProviderResult<Response>> => {
    try {
      sdk ??= loadClaudeSdk(options.sdkFolders);
      const loaded = await sdk;
      if (loaded === null) return failed(sdkMissing(installCommand(options.sdkFolders[0])));
      const { queryClaude } = await import('./claude-query.ts');
      const which = hasTranscript(options.env, id) ? { resume: id } : { sessionId: id };
      return await queryClaude({ sdk: loaded, host, options, which, message });
    } catch (error) {
      return failed(thrownError(error));
    }
  };
  return {
    createSession: async (agentSpec) => done({ id: randomUUID(), provider: CLAUDE_CODE, agentSpec }),
    sendMessage: send,
    submitToolResults: async () =>
      failed({ code: 'InvalidResponseError', message: NEVER_INCOMPLETE, retryable: false }),
    resumeSession: async (id) => {
      const isKnown = hasTranscript(options.env, id) || isUnanswered(host.history(id));
      return done(isKnown ? { id, provider: CLAUDE_CODE, agentSpec: host.agentSpec } : null);
    },
    continueSession: (session, message) => send(session, hasTranscript(options.env, session.id) ? CONTINUE : message),
  };
}

/** A session that was killed before Claude Code wrote anything: it starts again with the same message. */
function isUnanswered(records: Iterable<JournalRecord> | null): boolean {
  return records !== null && [...records].every(({ event }) => event.kind !== 'ASSISTANT_MESSAGE');
}

/** Whether Claude Code has written anything about the session. */
function hasTranscript(env: Readonly<Record<string, string>>, id: string): boolean {
  const home = env['CLAUDE_CONFIG_DIR'] ?? path.join(env['HOME'] ?? '', '.claude');
  const projects = path.join(home, 'projects');
  try {
    return readdirSync(projects).some((name) => existsSync(path.join(projects, name, `${id}.jsonl`)));
  } catch {
    return false;
  }
}
