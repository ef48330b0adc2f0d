import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createEmulator, type Emulator } from '../test-support/emulator.ts';
import { type Line, plainLine, textOf } from '../themes/line.ts';
import { themeNamed } from '../themes/themes.ts';
import { encodeLine } from './encode-line.ts';
import { createScreen, type Screen } from './screen.ts';
import { wrapLine } from './wrap-line.ts';

/** What a frame may never hold: clearing the screen or what scrolled away, scrolling, scroll regions, another screen, the mouse. */
const FORBIDDEN =
  /\u001b\[[23]J|\u001b\[\d*[STr]|\u001bc|\u001b\[\?(?:47|1047|1049|1000|1002|1003|1006)h|\u001b\[\?25l/;

const WORDS = ['plain', '漢字', 'é', '👍🏽', 'مرحبا', 'a long word that goes on', '\u001b[31m', 'x'.repeat(50)];

type World = { readonly emulator: Emulator; readonly screen: Screen; live: ReadonlyArray<string>; draft: string };

/** A wide character that does not fit leaves a cell free at the end of a row. */
function squeezed(line: string): string {
  return line.replaceAll(' ', '');
}

function open(columns: number, rows: number): World {
  const emulator = createEmulator(columns, rows);
  const world: { live: ReadonlyArray<string>; draft: string } = { live: [], draft: '' };
  const screen = createScreen({
    output: emulator.output,
    size: emulator.size,
    theme: themeNamed('dark'),
    live: (size) => {
      const above = world.live.flatMap((text) => wrapLine(plainLine(text), size.columns - 1)).slice(-3);
      const box = wrapLine([{ text: '> ', role: 'accent' }, { text: world.draft }], size.columns - 1);
      const last: Line = box.at(-1) ?? [];
      return {
        rows: [...above, ...box, plainLine('status', 'dim')],
        cursor: { row: above.length + box.length - 1, before: last },
      };
    },
  });
  return Object.assign(world, { emulator, screen });
}

async function painted({ screen, emulator }: World): Promise<void> {
  screen.paintNow();
  await emulator.settled();
}

describe('the screen', () => {
  it('shows every finished line once and in order, one prompt, and the cursor behind what was typed', async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant('print' as const), words: fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }) }),
      fc.record({ type: fc.constant('live' as const), words: fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }) }),
      fc.record({
        type: fc.constant('type' as const),
        words: fc.array(fc.constantFrom('a', '漢', '👍🏽', 'é'), { maxLength: 9 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.integer({ min: 20, max: 60 }), async (steps, columns) => {
        const world = open(columns, 12);
        await world.emulator.write('earlier shell text\r\n');
        const expected: string[] = ['earlier shell text'];
        for (const { type, words } of steps) {
          const text = words.join(' ');
          if (type === 'print') {
            const line = `${expected.length} ${text}`;
            expected.push(encodeLine(plainLine(line), themeNamed('mono')));
            world.screen.print([plainLine(line)]);
          } else if (type === 'live') world.live = words;
          else world.draft = text;
          await painted(world);
        }
        await painted(world);
        const lines = world.emulator.lines().map(squeezed);
        expect(lines.slice(0, expected.length)).toEqual(expected.map(squeezed));
        expect(world.emulator.lines().filter((line) => line.startsWith('> ')).length).toBeLessThanOrEqual(1);
        expect(world.emulator.lines().at(-1)).toBe('status');
        const before = wrapLine(plainLine(`> ${world.draft}`), columns - 1).at(-1) ?? [];
        expect(squeezed(world.emulator.beforeCursor())).toBe(squeezed(textOf(before)));
        expect(world.emulator.written()).not.toMatch(FORBIDDEN);
        await world.screen.close();
        await world.emulator.settled();
        const left = world.emulator.lines().map(squeezed);
        expect(left.filter((line, at) => at < expected.length || line !== '')).toEqual(expected.map(squeezed));
      }),
      { numRuns: Number(process.env['SOAK'] ?? 0) > 0 ? 1_000 : 60 },
    );
  });

  it('keeps every finished line once, in order, through resizes, and leaves no ghost of the prompt', async () => {
    const world = open(80, 24);
    for (let at = 0; at < 10; at += 1) await world.emulator.write(`shell ${at}\r\n`);
    const widths = [40, 120, 61, 100, 33, 80, 50, 90];
    let line = 0;
    for (const columns of widths) {
      const lines = Array.from({ length: 25 }, () => plainLine(`line ${(line += 1)} ${'word '.repeat(line % 30)}`));
      world.screen.print(lines);
      world.live = ['working on it, with a row that is wider than a narrow terminal can show at once'];
      world.draft = 'short';
      await painted(world);
      world.emulator.resize(columns, 24);
      await painted(world);
    }
    const lines = world.emulator.lines();
    expect(lines.filter((text) => /^shell \d/.test(text))).toHaveLength(10);
    const numbers = lines.flatMap((text) => /^line (\d+)/.exec(text)?.[1] ?? []).map(Number);
    expect(numbers).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
    expect(lines.filter((text) => text === '> short')).toHaveLength(1);
    expect(lines.filter((text) => text === 'status')).toHaveLength(1);
  });

  it('joins what comes while the terminal is slow, and writes a plain line with little around it', async () => {
    const world = open(100, 30);
    const text = 'x'.repeat(79);
    for (let at = 0; at < 1_000; at += 1) {
      world.screen.print([plainLine(text)]);
      if (at % 33 === 32) await painted(world);
    }
    await painted(world);
    expect(world.emulator.written().length / (1_000 * 80)).toBeLessThan(1.3);
  });

  it('paints the first change at once, and what follows it with the next frame', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] });
    const frames: string[] = [];
    const output = { isIdle: () => true, send: (bytes: string) => void frames.push(bytes), sendNow: () => undefined };
    const size = () => ({ columns: 40, rows: 10 });
    const screen = createScreen({ output, size, live: () => ({ rows: [], cursor: { row: 0, before: [] } }) });
    for (const line of ['one', 'two', 'three']) {
      screen.print([plainLine(line)]);
      vi.advanceTimersByTime(1);
    }
    expect(frames.map((bytes) => [...bytes.matchAll(/one|two|three/g)].join())).toEqual(['one']);
    vi.runAllTimers();
    vi.useRealTimers();
    expect(frames.map((bytes) => [...bytes.matchAll(/one|two|three/g)].join())).toEqual(['one', 'two,three']);
  });

  it('shows hostile text as text', () => {
    const encoded = encodeLine(plainLine('a\u001b[2J\u0007\u202eb\u009bc\rd'), themeNamed('mono'));
    expect(encoded).toBe('a\\u{1b}[2J\\u{7}\\u{202e}b\\u{9b}c\\u{d}d');
  });
});
