import type { Checkout } from '../converse/agent-port.ts';
import type { Loaded } from '../converse/world.ts';
import type { Tally } from '../conversation/tally.ts';
import type { ViMode } from '../editor/editing.ts';

export type StatusAt = {
  readonly folder: string;
  readonly checkout: Checkout;
  readonly tookMs: number;
  /** Null: keys as in a shell. */
  readonly vi: ViMode | null;
};

/** What the command of a status line is told, under the names that scripts for Claude Code know. What there is none of is absent. */
export function statusOf({ port, conversing, telling }: Loaded, at: StatusAt): object {
  const { model = port.model, mode = port.mode, effort = null, folders } = conversing.wish();
  const tally = telling.tally();
  const { cost, contextTokens, lines, title } = tally;
  const { worktree, repo } = at.checkout;
  const id = conversing.id();
  return {
    hook_event_name: 'Status',
    session_id: id ?? '',
    transcript_path: id === null ? '' : port.transcriptOf(id),
    cwd: at.folder,
    ...(title === null ? {} : { session_name: title }),
    model: { id: model, display_name: port.models.find(({ name }) => name === model)?.description ?? model },
    workspace: {
      current_dir: at.folder,
      project_dir: at.folder,
      added_dirs: folders,
      ...(worktree === null ? {} : { git_worktree: worktree }),
      ...(repo === null ? {} : { repo }),
    },
    version: port.version,
    output_style: { name: port.style ?? 'default' },
    permission_mode: mode,
    cost: {
      total_cost_usd: cost ?? 0,
      total_duration_ms: at.tookMs,
      total_api_duration_ms: Math.round(port.apiMs()),
      total_lines_added: lines.added,
      total_lines_removed: lines.removed,
    },
    context_window: windowOf(tally, port.windowOf(model)),
    exceeds_200k_tokens: contextTokens > 200_000,
    ...promptCache(tally),
    // Nothing here answers faster for more money.
    fast_mode: false,
    ...(effort === null ? {} : { effort: { level: effort } }),
    thinking: { enabled: effort !== null },
    ...(at.vi === null ? {} : { vim: { mode: at.vi.mode.toUpperCase() } }),
  };
}

function windowOf({ contextTokens, last }: Tally, size: number | null): object {
  const used = size === null ? null : Math.round((100 * contextTokens) / size);
  const { cacheReadTokens: read = 0, cacheWriteTokens: written = 0 } = last ?? {};
  return {
    total_input_tokens: last?.inputTokens ?? 0,
    total_output_tokens: last?.outputTokens ?? 0,
    context_window_size: size,
    current_usage:
      last === null
        ? null
        : {
            input_tokens: Math.max(0, last.inputTokens - read - written),
            output_tokens: last.outputTokens,
            cache_creation_input_tokens: written,
            cache_read_input_tokens: read,
          },
    used_percentage: used,
    remaining_percentage: used === null ? null : 100 - used,
  };
}

/** How long providers keep the beginning of a prompt. */
const CACHE_MS = 300_000;

/** What services told of their caches; nothing before the first answer. */
function promptCache({ answers, usage, answeredAt }: Tally): object {
  if (answers === 0) return {};
  const { cacheReadTokens: read = 0, cacheWriteTokens: written = 0, inputTokens } = usage;
  const isObserved = read + written > 0;
  return {
    prompt_cache: {
      warm: isObserved && Date.now() - answeredAt < CACHE_MS,
      caching_observed: isObserved,
      ttl: '5m',
      expires_at: isObserved ? Math.ceil((answeredAt + CACHE_MS) / 1_000) : null,
      requests: answers,
      hit_ratio: inputTokens === 0 ? 0 : read / inputTokens,
      cache_write_tokens: written,
    },
  };
}
