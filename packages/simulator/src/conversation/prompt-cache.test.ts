import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../scripted-model.ts';
import { bodyOf } from '../wire/http.ts';

type Json = Record<string, unknown>;
const HEADERS = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', authorization: 'Bearer k' };

function conversation(path: string, options: { cacheMinTokens?: number } = {}): (body: Json) => Json {
  const model = createScriptedModel({ ...options, turns: [{ text: 'ok', repeat: 'forever' }] });
  return (body) => {
    const response = model.handle({ method: 'POST', path, headers: HEADERS, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    const answer = JSON.parse(bodyOf(response)) as { usage?: Json; usageMetadata?: Json };
    return answer.usage ?? answer.usageMetadata ?? {};
  };
}

const marked = { cache_control: { type: 'ephemeral' } };
const text = (value: string, extra: Json = {}): Json => ({ type: 'text', text: value, ...extra });
const SYSTEM = [text('You are careful. '.repeat(50), marked)];

/** A history whose last user block carries the marker, as a client moves it on from turn to turn. */
function anthropicBody(turns: number): Json {
  const messages: Json[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({ role: 'user', content: [text(`question ${turn} `.repeat(30), turn === turns - 1 ? marked : {})] });
    if (turn < turns - 1) messages.push({ role: 'assistant', content: [text('ok')] });
  }
  return { model: 'm', max_tokens: 10, system: SYSTEM, messages };
}

describe('the prompt cache', () => {
  it('reads what the last turn wrote, more than half of the input from the fifth turn on', () => {
    const ask = conversation('/v1/messages');
    let before = 0;
    for (let turn = 1; turn <= 8; turn += 1) {
      const usage = ask(anthropicBody(turn));
      const read = Number(usage['cache_read_input_tokens']);
      const total = read + Number(usage['cache_creation_input_tokens']) + Number(usage['input_tokens']);
      expect(read).toBe(before);
      before = read + Number(usage['cache_creation_input_tokens']);
      const share = read / total;
      expect(turn < 5 || share > 0.5).toBe(true);
    }
  });

  it('finds nothing after one byte at the front has changed, or for another model', () => {
    const ask = conversation('/v1/messages');
    ask(anthropicBody(2));
    const changed = { ...anthropicBody(2), system: [text('You are Careful. '.repeat(50), marked)] };
    expect(ask(changed)['cache_read_input_tokens']).toBe(0);
    expect(ask({ ...anthropicBody(2), model: 'other' })['cache_read_input_tokens']).toBe(0);
    expect(ask(anthropicBody(2))['cache_read_input_tokens']).toBeGreaterThan(0);
  });

  it('writes nothing where nothing is marked, and nothing below the least size', () => {
    const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'x'.repeat(4000) }] };
    const ask = conversation('/v1/messages');
    expect(ask(body)).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
    expect(ask(body)).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
    const strict = conversation('/v1/messages', { cacheMinTokens: 100_000 });
    strict(anthropicBody(2));
    expect(strict(anthropicBody(2))).toMatchObject({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
  });

  it('works by itself where the service does it', () => {
    const openai = conversation('/v1/responses');
    const input = (turns: number): Json => ({
      model: 'm',
      input: Array.from({ length: turns }, (_none, turn) => ({
        role: 'user',
        content: `question ${turn} `.repeat(20),
      })),
    });
    openai(input(3));
    const usage = openai(input(4));
    expect(Number((usage['input_tokens_details'] as Json)['cached_tokens'])).toBeGreaterThan(
      Number(usage['input_tokens']) / 2,
    );
    const gemini = conversation('/v1beta/models/m:generateContent?key=k');
    const contents = (turns: number): Json => ({
      contents: Array.from({ length: turns }, (_none, turn) => ({
        role: 'user',
        parts: [{ text: `question ${turn} `.repeat(20) }],
      })),
    });
    expect(gemini(contents(3))['cachedContentTokenCount']).toBeUndefined();
    expect(Number(gemini(contents(4))['cachedContentTokenCount'])).toBeGreaterThan(100);
  });
});
