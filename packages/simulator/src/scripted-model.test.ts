import { describe, expect, it } from 'vitest';
import { createScriptedModel } from './scripted-model.ts';
import { SAMPLES } from './test-support/raw-http.ts';
import { bodyOf } from './wire/http.ts';

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

  it('throws on a script that is not valid', () => {
    expect(() => createScriptedModel({ turns: [{ delayMs: -5 }] })).toThrow(/turns\[0\]\.delayMs/);
  });
});
