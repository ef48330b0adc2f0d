import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from './scripted-model.ts';
import { SAMPLES } from './test-support/raw-http.ts';
import { bodyOf } from './wire/http.ts';

/** In the soak more than it remembers of any of them. */
const [WARM, MORE] = process.env['SOAK'] === '1' ? [220_000, 110_000] : [500, 500];

/** After everything else was given back. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') for (let round = 0; round < 3; round += 1) collect();
  return process.memoryUsage().heapUsed;
}

const sample = SAMPLES.anthropic;
const request = {
  method: 'POST',
  path: '/v1/messages',
  headers: sample.headers,
  body: JSON.stringify(sample.body('go', false)),
};

describe('the model without a socket', () => {
  it('answers through the same code', () => {
    const model = createScriptedModel({ turns: [{ text: 'hello' }] });
    const response = model.handle(request);
    expect(response.status).toBe(200);
    expect(JSON.parse(bodyOf(response))).toMatchObject({ content: [{ type: 'text', text: 'hello' }] });
    expect(model.requests()).toMatchObject([{ operation: 'generate', attempt: 1 }]);
  });

  it('describes what a socket would do', () => {
    const model = createScriptedModel({ turns: [{ text: 'hello', delayMs: 5, fault: { kind: 'cut', atByte: 10 } }] });
    const steps = model.handle(request).steps.map((step) => step.do);
    expect(steps).toEqual(['wait', 'send', 'reset']);
  });

  it('goes on from the second turn after a reset, because it remembers nothing that matters', () => {
    const model = createScriptedModel({ turns: [{ text: 'one' }, { text: 'two' }] });
    model.reset();
    const body = {
      model: 'm',
      max_tokens: 5,
      messages: ['user', 'assistant', 'user'].map((role) => ({ role, content: 'x' })),
    };
    expect(bodyOf(model.handle({ ...request, body: JSON.stringify(body) }))).toContain('"text":"two"');
  });

  it('that is not to remember keeps only the newest failures, without what was sent', () => {
    const model = createScriptedModel({ turns: [] }, { record: 'none' });
    for (let asked = 0; asked < 300; asked++) model.handle(request);
    expect(model.requests()).toEqual([]);
    expect(model.failures()).toHaveLength(100);
    expect(model.failures().every(({ request: { body } }) => body === undefined)).toBe(true);
  });

  it(`holds after ${WARM + MORE} conversations no more than after ${WARM}`, () => {
    const model = createScriptedModel({ turns: [{ text: 'hello' }] }, { record: 'none' });
    const ask = (from: number, to: number): number => {
      for (let number = from; number < to; number += 1)
        model.handle({ ...request, body: JSON.stringify(sample.body(`conversation ${number}`, false)) });
      return heapInUse();
    };
    const warm = ask(0, WARM);
    expect(ask(WARM, WARM + MORE) - warm).toBeLessThan(8e6);
  });

  it('throws on a script that is not valid', () => {
    expect(() => createScriptedModel({ turns: [{ delayMs: -5 }] })).toThrow(/turns\[0\]\.delayMs/);
  });
});
