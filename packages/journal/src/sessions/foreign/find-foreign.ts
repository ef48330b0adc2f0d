import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { FOREIGN_AGENTS, type ForeignAgent } from './conversation.ts';
import { type DatabaseAgent, sessionsInDatabase } from './session-database.ts';

/** A session file of another agent that can be imported. */
export type FoundSession = {
  readonly from: ForeignAgent;
  readonly file: string;
  readonly updatedAt: string;
  readonly bytes: number;
};

type Place = { readonly folder: string; readonly isSession: RegExp };

/** Those that changed where they keep them have several. */
type Places = Place | ReadonlyArray<Place>;

/** Journals of Claude Code's subagents are deeper, or begin with `agent-`. */
const PLACES: Readonly<Record<ForeignAgent, Places>> = {
  claude: { folder: '.claude/projects', isSession: /^[^/]+\/(?!agent-)[^/]+\.jsonl$/ },
  codex: { folder: '.codex/sessions', isSession: /^\d{4}\/\d{2}\/\d{2}\/rollout-[^/]+\.jsonl(?:\.zst)?$/ },
  gemini: { folder: '.gemini/tmp', isSession: /^[^/]+\/chats\/[^/]+\.jsonl?$/ },
  pi: { folder: '.pi/agent/sessions', isSession: /^[^/]+\/[^/]+\.jsonl$/ },
  opencode: { folder: '.local/share/opencode', isSession: /^opencode\.db$/ },
  goose: { folder: '.local/share/goose/sessions', isSession: /^sessions\.db$/ },
  cline: [
    { folder: '.cline/data/sessions', isSession: /^([^/]+)\/\1\.messages\.json$/ },
    { folder: '.cline/data/tasks', isSession: /^[^/]+\/api_conversation_history\.json$/ },
  ],
};

export type FindOptions = {
  readonly userHome: string;
  readonly from?: ForeignAgent;
  readonly limit?: number;
};

/** The newest first. Files are not opened, except databases, whose sessions are listed as `FILE#ID`. */
export function findForeignSessions({ userHome, from, limit = 50 }: FindOptions): ReadonlyArray<FoundSession> {
  const agents: ReadonlyArray<ForeignAgent> = from === undefined ? FOREIGN_AGENTS : [from];
  return agents
    .flatMap((agent) => [PLACES[agent]].flat().flatMap((place) => filesOf(userHome, agent, place)))
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .slice(0, limit);
}

function filesOf(userHome: string, from: ForeignAgent, { folder, isSession }: Place): ReadonlyArray<FoundSession> {
  const top = path.join(userHome, folder);
  return namesBelow(top).flatMap((name) => {
    if (!isSession.test(name)) return [];
    const stats = statSync(path.join(top, name), { throwIfNoEntry: false });
    if (stats === undefined || !stats.isFile()) return [];
    const file = path.join(top, name);
    if (from === 'opencode' || from === 'goose') return keptIn(file, from, stats.size);
    return [{ from, file, updatedAt: stats.mtime.toISOString(), bytes: stats.size }];
  });
}

function keptIn(file: string, from: DatabaseAgent, bytes: number): ReadonlyArray<FoundSession> {
  try {
    return sessionsInDatabase(file, from).map(({ id, updatedAt }) => ({
      from,
      file: `${file}#${id}`,
      updatedAt,
      bytes,
    }));
  } catch {
    return [];
  }
}

function namesBelow(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
