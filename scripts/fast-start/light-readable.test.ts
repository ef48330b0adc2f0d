import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from './test-support/runs.ts';
import { LightReadable } from './light-readable.ts';
import { Stage, TextStage, type Controller, type StageWork } from './light-stage.ts';

/** What a reader got, in order, and how it ended. */
type Story = { readonly chunks: ReadonlyArray<unknown>; readonly end: unknown };

type Plan = {
  readonly chunks: ReadonlyArray<number>;
  /** At which chunk the source fails, if it does. */
  readonly failsAt: number;
  readonly stages: ReadonlyArray<Habit>;
};

/** What a stage does: drops some chunks, doubles others, waits, fails or ends at one of them. */
type Habit = {
  readonly drop: number;
  readonly twice: number;
  readonly waits: boolean;
  readonly stopAt: number;
  readonly by: 'error' | 'throw' | 'terminate';
};

describe('a light stream through light stages', () => {
  it("gives what the platform's own would give", async () => {
    const habit = fc.record({
      drop: fc.integer({ min: 2, max: 5 }),
      twice: fc.integer({ min: 2, max: 5 }),
      waits: fc.boolean(),
      stopAt: fc.integer({ min: 1, max: 60 }),
      by: fc.constantFrom('error' as const, 'throw' as const, 'terminate' as const),
    });
    const plans = fc.record({
      chunks: fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 20 }),
      failsAt: fc.integer({ min: 0, max: 60 }),
      stages: fc.array(habit, { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const light = await storyOf(lightly(plan));
        expect(light).toEqual(await storyOf(onPlatform(plan)));
      }),
      { numRuns: runs(150) },
    );
  });

  it('decodes text that is cut anywhere', async () => {
    const bytes = Buffer.from('häß 😀 ende');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
      const { chunks } = await storyOf(sourceOf(parts).pipeThrough(new TextStage()));
      expect(chunks.join('')).toBe('häß 😀 ende');
    }
  });

  it('reads nothing that nobody asked for, and cancels what is in front of it', async () => {
    const { source, pulls, cancels } = watched();
    const reader = source
      .pipeThrough(new Stage<number, number>({ transform: (one, to) => to.enqueue(one) }))
      .getReader();
    expect(pulls()).toBe(0);
    await reader.read();
    expect(pulls()).toBe(1);
    await reader.cancel('enough');
    expect(cancels).toEqual(['enough']);
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  it('gives both branches every chunk, and cancels the source with the second', async () => {
    const { source, cancels } = watched();
    const [one, two] = source.tee();
    const [first, second] = [one.getReader(), two.getReader()];
    expect([await first.read(), await first.read()]).toEqual([chunk(1), chunk(2)]);
    await first.cancel();
    expect(cancels).toEqual([]);
    expect([await second.read(), await second.read(), await second.read()]).toEqual([chunk(1), chunk(2), chunk(3)]);
    await second.cancel('done');
    expect(cancels).toEqual(['done']);
  });

  it('is read by one at a time', () => {
    const { source } = watched();
    const reader = source.getReader();
    expect(() => source.getReader()).toThrow('already');
    reader.releaseLock();
    expect(source.locked).toBe(false);
    source.getReader();
  });
});

describe("the platform's streams", () => {
  it('take a light stage, and are taken by a light stream', async () => {
    const add: StageWork<number, number> = { transform: (one, to) => to.enqueue(one + 1) };
    const throughLight = new ReadableStream<number>({
      start: (controller) => {
        controller.enqueue(1);
        controller.close();
      },
    }).pipeThrough(new Stage(add));
    expect(await storyOf(throughLight)).toEqual({ chunks: [2], end: 'closed' });
    const throughPlatform = sourceOf([1, 2]).pipeThrough(new TransformStream<number, number>(add));
    expect(await storyOf(throughPlatform)).toEqual({ chunks: [2, 3], end: 'closed' });
  });
});

function chunk(value: number): { readonly done: false; readonly value: number } {
  return { done: false, value };
}

function sourceOf<T>(chunks: ReadonlyArray<T>): LightReadable<T> {
  const rest = [...chunks];
  return new LightReadable<T>({
    pull: (controller) => {
      const [next] = rest.splice(0, 1);
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  });
}

function watched(): { source: LightReadable<number>; pulls: () => number; cancels: unknown[] } {
  let pulls = 0;
  const cancels: unknown[] = [];
  const source = new LightReadable<number>({
    pull: async (controller) => controller.enqueue((pulls += 1)),
    cancel: (reason) => cancels.push(reason),
  });
  return { source, pulls: () => pulls, cancels };
}

function lightly({ stages, ...plan }: Plan): LightReadable<number> {
  let stream = new LightReadable<number>(planned(plan));
  for (const habit of stages) stream = stream.pipeThrough(new Stage(working(habit)));
  return stream;
}

function onPlatform({ stages, ...plan }: Plan): ReadableStream<number> {
  let stream = new ReadableStream<number>(planned(plan), { highWaterMark: 0 });
  for (const habit of stages) stream = stream.pipeThrough(new TransformStream(working(habit)));
  return stream;
}

type Given = Pick<Controller<number>, 'enqueue' | 'close' | 'error'>;

function planned({ chunks, failsAt }: Omit<Plan, 'stages'>): { pull: (controller: Given) => Promise<void> } {
  let at = 0;
  return {
    pull: async (controller) => {
      at += 1;
      await later();
      const next = chunks[at - 1];
      if (at === failsAt) controller.error(new Error('the source failed'));
      else if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
  };
}

function working({ drop, twice, waits, stopAt, by }: Habit): StageWork<number, number> {
  let at = 0;
  return {
    transform: async (one, controller) => {
      at += 1;
      if (waits) await later();
      if (at === stopAt && by === 'throw') throw new Error('the stage failed');
      if (at === stopAt && by === 'error') controller.error(new Error('the stage failed'));
      if (at === stopAt && by === 'terminate') controller.terminate();
      if (at >= stopAt || one % drop === 0) return;
      controller.enqueue(one);
      if (one % twice === 0) controller.enqueue(-one);
    },
    flush: (controller) => controller.enqueue(1000),
  };
}

function later(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function storyOf(stream: Pick<ReadableStream | LightReadable<unknown>, 'getReader'>): Promise<Story> {
  const chunks: unknown[] = [];
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { chunks, end: 'closed' };
      chunks.push(value);
    }
  } catch (error) {
    return { chunks, end: String(error) };
  }
}
