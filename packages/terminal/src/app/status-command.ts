import type { Checkout } from '../converse/agent-port.ts';
import type { Acts, Loaded } from '../converse/world.ts';
import { colouredLine } from '../themes/coloured-line.ts';
import type { Line } from '../themes/line.ts';
import { statusOf } from './status-facts.ts';

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
  let checkout: Checkout = { worktree: null, repo: null };
  const changed = (): void => {
    if (isRunning) isStale = true;
    else timer ??= setTimeout(() => void run(), PAUSE_MS).unref();
  };
  const run = async (): Promise<void> => {
    timer = null;
    isRunning = true;
    isStale = false;
    const at = { folder, checkout, tookMs: Date.now() - startedAt, vi: world.editing.vi };
    const output = await statusLine(`${JSON.stringify(statusOf(loaded, at))}\n`);
    isRunning = false;
    world.status = linesIn(output);
    screen.touch();
    if (isStale) changed();
  };
  changed();
  world.onViMode = changed;
  void loaded.port.repository().then((found) => {
    checkout = found;
    changed();
  });
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
