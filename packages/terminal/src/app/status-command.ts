import type { Acts, Loaded } from '../converse/world.ts';
import { colouredLine } from '../themes/coloured-line.ts';
import type { Line } from '../themes/line.ts';

/** The person's own status line. */
export type StatusCommand = {
  /** Something that it may show has changed. */
  readonly changed: () => void;
  readonly stop: () => void;
};

const PAUSE_MS = 300;
const MOST_LINES = 3;

/** Their command gets what is known as JSON on stdin and prints the line. It runs soon after a change, never twice at once. */
export function createStatusCommand({ world, screen, folder }: Acts, loaded: Loaded): StatusCommand {
  const { statusLine } = loaded.port;
  if (statusLine === null) return { changed: () => undefined, stop: () => undefined };
  const startedAt = Date.now();
  let timer: NodeJS.Timeout | null = null;
  let isRunning = false;
  let isStale = false;
  const changed = (): void => {
    if (isRunning) isStale = true;
    else timer ??= setTimeout(() => void run(), PAUSE_MS).unref();
  };
  const run = async (): Promise<void> => {
    timer = null;
    isRunning = true;
    isStale = false;
    const output = await statusLine(`${JSON.stringify(statusOf(loaded, folder, Date.now() - startedAt))}\n`);
    isRunning = false;
    world.status = linesIn(output);
    screen.touch();
    if (isStale) changed();
  };
  changed();
  return {
    changed,
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function linesIn(output: string): ReadonlyArray<Line> {
  return output.trim() === '' ? [] : output.trimEnd().split('\n').slice(0, MOST_LINES).map(colouredLine);
}

/** The names are those that scripts for Claude Code know. */
function statusOf({ port, conversing, telling }: Loaded, folder: string, tookMs: number): object {
  const { model = port.model, mode = port.mode, effort = null, folders } = conversing.wish();
  const { cost, contextTokens, usage } = telling.tally();
  const size = port.windowOf(model);
  const used = size === null ? null : Math.round((100 * contextTokens) / size);
  const id = conversing.id();
  return {
    hook_event_name: 'Status',
    session_id: id ?? '',
    transcript_path: id === null ? '' : port.transcriptOf(id),
    cwd: folder,
    model: { id: model, display_name: port.models.find(({ name }) => name === model)?.description ?? model },
    workspace: { current_dir: folder, project_dir: folder, added_dirs: folders },
    version: port.version,
    output_style: { name: port.style ?? 'default' },
    permission_mode: mode,
    cost: { total_cost_usd: cost ?? 0, total_duration_ms: tookMs },
    context_window: {
      total_input_tokens: usage.inputTokens,
      total_output_tokens: usage.outputTokens,
      context_window_size: size,
      used_percentage: used,
      remaining_percentage: used === null ? null : 100 - used,
    },
    exceeds_200k_tokens: contextTokens > 200_000,
    ...(effort === null ? {} : { effort: { level: effort } }),
  };
}
