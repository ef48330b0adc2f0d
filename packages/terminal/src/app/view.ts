import { showCost, showCount, showSeconds } from '../conversation/amounts.ts';
import { editorRows } from '../editor/editor-rows.ts';
import type { LiveView } from '../screen/screen.ts';
import type { Size } from '../screen/paint.ts';
import { cutLine, wrapLine } from '../screen/wrap-line.ts';
import { EMPTY_LINE, type Line, plainLine } from '../themes/line.ts';
import type { World } from '../converse/world.ts';

export type ViewContext = {
  readonly folder: string;
  readonly now: number;
  /** Nothing moves by itself: only words change. */
  readonly isStill: boolean;
};

/** What is below the finished text: what is under way, what waits, and what a person writes. It is always smaller than the screen. */
export function liveView(world: World, size: Size, context: ViewContext): LiveView {
  const foot = footRows(world, size, context);
  const room = Math.max(3, size.rows - 2 - foot.length);
  const box = boxOf(world, size, Math.max(1, Math.min(room, Math.ceil(size.rows * 0.6))));
  const above = aboveRows(world, size, context, Math.max(0, size.rows - 2 - foot.length - box.rows.length));
  const gap: ReadonlyArray<Line> = size.rows > 8 ? [EMPTY_LINE] : [];
  return {
    rows: [...above, ...gap, ...box.rows, ...foot],
    cursor: { row: above.length + gap.length + box.cursor.row, before: box.cursor.before },
  };
}

/** Of what is under way the end is shown: at most the upper part of the screen. */
function aboveRows(world: World, { columns, rows }: Size, context: ViewContext, room: number): ReadonlyArray<Line> {
  const { loaded } = world;
  const width = columns - 1;
  const most = Math.min(room, Math.floor(rows * 0.5));
  const extras = [
    ...stepLines(world),
    ...workLine(world, context),
    ...backgroundLines(world),
    ...queueLines(world),
  ].map((line) => cutLine(line, width));
  const left = Math.max(0, most - extras.length);
  const live = [...(loaded?.telling.live(left) ?? []), ...runningLines(world)];
  const tail = live.slice(-most).flatMap((line) => wrapLine(line, width));
  return [...(left === 0 ? [] : tail.slice(-left)), ...extras.slice(-most)].slice(-Math.max(0, room));
}

/** The end of what a person's own command prints; the command itself was printed when it began. */
function runningLines({ running }: World): ReadonlyArray<Line> {
  if (running === null) return [];
  const output = running.output.trimEnd().split('\n').slice(-5);
  return [
    ...(running.output.trim() === '' ? [] : output.map((line) => plainLine(`  ${line}`, 'dim'))),
    [
      { text: '• ', role: 'warn' },
      { text: 'Running', role: 'warn' },
      { text: ' · Esc stops', role: 'dim' },
    ],
  ];
}

const STEP_MARKS: Readonly<Record<string, string>> = { completed: '☑', in_progress: '▸', pending: '☐' };
const MOST_STEPS = 6;

function stepLines({ loaded }: World): ReadonlyArray<Line> {
  const steps = loaded?.conversing.workingSince() === null ? [] : (loaded?.telling.steps() ?? []);
  if (steps.every(({ status }) => status === 'completed')) return [];
  const current = Math.max(
    0,
    steps.findIndex(({ status }) => status !== 'completed'),
  );
  const from = Math.max(0, Math.min(current - 1, steps.length - MOST_STEPS));
  return steps.slice(from, from + MOST_STEPS).map(({ text, status }) => [
    { text: `${STEP_MARKS[status] ?? '☐'} `, role: status === 'completed' ? 'good' : 'accent' },
    { text, role: status === 'in_progress' ? 'plain' : 'dim' },
  ]);
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Commands that the agent left running. */
function backgroundLines({ loaded }: World): ReadonlyArray<Line> {
  const all = loaded?.conversing.session()?.background.list() ?? [];
  const running = all.filter(({ status }) => status === 'running');
  return running.length === 0 ? [] : [plainLine(`  ${running.length} in the background (/background)`, 'dim')];
}

function workLine({ loaded }: World, { now, isStill }: ViewContext): ReadonlyArray<Line> {
  const since = loaded?.conversing.workingSince() ?? null;
  if (loaded === null || since === null) return [];
  const waits = loaded.conversing.asked.list().length > 0;
  const mark = isStill || waits ? '•' : (SPINNER[Math.floor(now / 120) % SPINNER.length] ?? '•');
  const tokens = loaded.telling.tally().written;
  const words = waits ? 'Waiting for you' : 'Working';
  const used = tokens > 0 ? ` · ${showCount(tokens)} tokens written` : '';
  // While something is asked, Escape belongs to the question.
  const stops = waits ? 'Ctrl-C stops' : 'Esc stops';
  return [
    EMPTY_LINE,
    [
      { text: `${mark} `, role: 'accent' },
      { text: words, role: 'accent' },
      { text: ` ${showSeconds(now - since)} · ${stops}${used}`, role: 'dim' },
    ],
  ];
}

function queueLines({ loaded }: World): ReadonlyArray<Line> {
  const queue = loaded?.conversing.queue() ?? [];
  if (queue.length === 0) return [];
  const working = loaded?.conversing.workingSince() !== null;
  const lines = queue
    .slice(-3)
    .map((text): Line => [{ text: '  queued › ', role: 'dim' }, { text: text.split('\n')[0] ?? '' }]);
  const hint = working ? '  Enter alone sends it now · ↑ changes it' : '  Enter alone sends it · ↑ changes it';
  return [...lines, plainLine(hint, 'dim')];
}

function boxOf(world: World, { columns }: Size, most: number): LiveView {
  if (world.panel !== null) {
    const view = world.panel.view({ columns, most });
    return { rows: view.rows, cursor: view.cursor ?? { row: 0, before: [] } };
  }
  if (world.searching !== null) return searchBox(world, columns, most);
  const { text } = world.editing.draft;
  const isShell = text.startsWith('!');
  const isNormal = world.editing.vi?.mode === 'normal';
  return editorRows(world.editing.draft, {
    columns,
    most,
    mark: isShell ? '! ' : isNormal ? ': ' : '› ',
    role: isShell ? 'warn' : text.startsWith('#') ? 'good' : 'accent',
    hint: hintsOf(world).find((hint) => hint.length <= columns - 3) ?? '',
  });
}

/** The longest first: what fits is shown. */
function hintsOf({ loaded, isUnfinished }: World): ReadonlyArray<string> {
  if (isUnfinished)
    return [
      'The last turn was cut off: Enter continues it, or type something else',
      'Cut off: Enter continues it',
      'Enter continues',
    ];
  if (loaded === null) return ['Ask, or type what to do', 'Ask'];
  return loaded.conversing.workingSince() === null
    ? [
        'Ask, or type what to do  (/ commands, @ files, ! shell)',
        'Ask  (/ commands, @ files, ! shell)',
        'Ask  (/ commands)',
        'Ask',
      ]
    : ['Type ahead: Enter queues it', 'Enter queues it'];
}

function searchBox({ searching }: World, columns: number, most: number): LiveView {
  const { text = '', found = null } = searching ?? {};
  const box = editorRows(
    { text, cursor: text.length },
    { columns, most: 1, mark: 'search: ', role: 'accent', hint: '' },
  );
  const shown =
    found === null
      ? [plainLine('  nothing found', 'dim')]
      : found
          .split('\n')
          .slice(0, Math.max(1, most - 1))
          .map((line) => plainLine(`  ${line}`));
  return {
    rows: [...shown.map((line) => cutLine(line, columns - 1)), ...box.rows],
    cursor: { row: shown.length, before: box.cursor.before },
  };
}

const MOST_CANDIDATES = 8;

function footRows(world: World, { columns, rows }: Size, context: ViewContext): ReadonlyArray<Line> {
  const { completion, hint } = world;
  const width = columns - 1;
  if (completion !== null && completion.candidates.length > 0 && world.panel === null) {
    const most = Math.max(1, Math.min(MOST_CANDIDATES, rows - 6));
    const from = Math.max(0, Math.min(completion.at - most + 1, completion.candidates.length - most));
    return completion.candidates.slice(from, from + most).map(({ text, detail }, at) =>
      cutLine(
        [
          { text: at + from === completion.at ? '❯ ' : '  ', role: 'accent' },
          { text, ...(at + from === completion.at ? { bold: true } : {}) },
          { text: detail === undefined ? '' : `  ${detail}`, role: 'dim' },
        ],
        width,
      ),
    );
  }
  if (hint !== '') return [cutLine(plainLine(`  ${hint}`, 'warn'), width)];
  if (world.searching !== null && world.panel === null)
    return [cutLine(plainLine('  Enter takes it · Ctrl-R an older one · Esc back', 'dim'), width)];
  if (rows < 6) return [];
  const own = rows < 12 ? world.status?.slice(0, 1) : world.status;
  const lines =
    own === undefined || own === null || own.length === 0 ? [statusLine(world, context)] : ownStatus(world, own);
  return lines.map((line) => cutLine(line, width));
}

const MODE_WORDS: Readonly<Record<string, string>> = {
  default: '',
  acceptEdits: 'edits allowed',
  plan: 'plan mode: nothing changes',
  dontAsk: 'never asks',
  bypassPermissions: 'asks nothing',
};

/** The person's own line; the mode is always said, since it decides what is asked. */
function ownStatus({ loaded }: World, lines: ReadonlyArray<Line>): ReadonlyArray<Line> {
  const mode = loaded?.conversing.wish().mode ?? loaded?.port.mode ?? 'default';
  return lines.map((line, at) =>
    at === 0 ? [{ text: '  ' }, ...modeSpans(mode), ...line] : [{ text: '  ' }, ...line],
  );
}

function modeSpans(mode: string): Line {
  const words = MODE_WORDS[mode] ?? mode;
  return words === '' ? EMPTY_LINE : [{ text: `${words} · `, role: mode === 'plan' ? 'good' : 'warn' }];
}

/** Model, mode, folder, how full the window is, what it cost: the most important first, so that a narrow screen cuts the rest. */
function statusLine({ loaded }: World, { folder }: ViewContext): Line {
  if (loaded === null) return plainLine(`  ${shortFolder(folder)}`, 'dim');
  const { conversing, telling, port } = loaded;
  const { model = port.model, mode = port.mode } = conversing.wish();
  const { cost, contextTokens, answers } = telling.tally();
  const window = port.windowOf(model);
  const full =
    window === null || contextTokens === 0 ? '' : `${Math.round((100 * contextTokens) / window)} % of window`;
  const parts = [model, shortFolder(folder), full, answers === 0 ? '' : showCost(cost)].filter((part) => part !== '');
  return [{ text: '  ' }, ...modeSpans(mode), { text: parts.join(' · '), role: 'dim' }];
}

function shortFolder(folder: string): string {
  const parts = folder.split('/');
  return parts.length <= 3 ? folder : `…/${parts.slice(-2).join('/')}`;
}
