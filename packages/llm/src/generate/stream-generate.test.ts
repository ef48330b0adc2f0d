import { describe, expect, it } from 'vitest';
import { LlmError } from '../types/error.ts';
import type { GenerateEvent } from './steps.ts';
import { streamGenerate } from './stream-generate.ts';
import { call, scriptedClient, text } from './test-support/scripted-client.ts';
import type { Tool } from './tool.ts';

const model = 'some-model';
const echo: Tool = { name: 'echo', description: 'd', parameters: { type: 'object' }, execute: () => 'echoed' };
const twoSteps = () =>
  scriptedClient([{ parts: [text('one '), call('c1', 'echo')] }, { parts: [text('two')], pieces: 3 }]);

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const kinds = (events: ReadonlyArray<GenerateEvent>): string[] =>
  events.map((event) => event.kind).filter((kind, at, list) => !(kind.endsWith('_DELTA') && list[at - 1] === kind));

describe('a generation that is read while it happens', () => {
  it('gives the events of each step, STEP_FINISH after its tools, and one FINISH at the end', async () => {
    const events = await all(streamGenerate({ client: twoSteps(), model, prompt: 'p', tools: [echo] }));
    expect(kinds(events).join(' ')).toBe(
      'STREAM_START TEXT_START TEXT_DELTA TEXT_END TOOL_CALL_START TOOL_CALL_DELTA TOOL_CALL_END STEP_FINISH ' +
        'STREAM_START TEXT_START TEXT_DELTA TEXT_END STEP_FINISH FINISH',
    );
    const steps = events.flatMap((event) => (event.kind === 'STEP_FINISH' ? [event.step] : []));
    expect(steps[0]?.toolResults[0]?.output).toBe('echoed');
  });

  it('has deltas that concatenate to the text, and the same result as generate', async () => {
    const stream = streamGenerate({ client: twoSteps(), model, prompt: 'p', tools: [echo] });
    const deltas = await all(stream.textStream);
    expect(deltas.join('')).toBe('one two');
    const result = await stream.response();
    expect(result).toMatchObject({ text: 'two', totalUsage: { inputTokens: 30 } });
    expect(result.steps).toHaveLength(2);
  });

  it('needs no reader for response()', async () => {
    const stream = streamGenerate({ client: twoSteps(), model, prompt: 'p', tools: [echo] });
    expect((await stream.response()).text).toBe('two');
    expect((await stream.response()).text).toBe('two');
  });

  it('sends nothing before it is read, and can be read once', async () => {
    const client = scriptedClient([{ parts: [text('hi')] }]);
    const stream = streamGenerate({ client, model, prompt: 'p' });
    expect(client.requests).toEqual([]);
    await all(stream);
    expect(() => stream[Symbol.asyncIterator]()).toThrow(LlmError);
  });

  it('shows what has arrived so far', async () => {
    const stream = streamGenerate({ client: twoSteps(), model, prompt: 'p', tools: [echo] });
    const seen: string[] = [];
    for await (const event of stream) {
      if (event.kind === 'TEXT_DELTA')
        seen.push(`${stream.partialResponse().steps.length}:${stream.partialResponse().text}`);
    }
    expect(seen).toEqual(['0:on', '0:one ', '1:t', '1:tw', '1:two']);
  });

  it('ends with ERROR, never throws as events, and rejects response()', async () => {
    const error = new LlmError({ code: 'server', message: 'broken', retryable: true });
    const stream = streamGenerate({ client: scriptedClient([{ error }]), model, prompt: 'p' });
    expect((await all(stream)).at(-1)).toEqual({ kind: 'ERROR', error });
    await expect(stream.response()).rejects.toBe(error);
  });

  it('reports wrong options the same way, and fails a reader of text', async () => {
    const stream = streamGenerate({ client: scriptedClient([]), model });
    expect(await all(stream)).toMatchObject([{ kind: 'ERROR', error: { code: 'invalid_request' } }]);
    await expect(all(streamGenerate({ client: scriptedClient([]), model }).textStream)).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('aborts the request when the reader leaves, and then has no response', async () => {
    const client = scriptedClient([{ parts: [text('long answer')] }]);
    const stream = streamGenerate({ client, model, prompt: 'p' });
    for await (const event of stream) if (event.kind === 'TEXT_DELTA') break;
    expect(client.requests[0]?.abortSignal?.aborted).toBe(true);
    await expect(stream.response()).rejects.toMatchObject({ code: 'abort' });
  });
});
