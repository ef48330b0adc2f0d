import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '@attractor/store/testing';
import { readMarkers, withoutMarkers } from './markers.ts';
import { judgePayload, MODE_OUTCOMES, OUTCOME_SCHEMAS, outcomeChoices, readPayload } from './schemas.ts';

describe('markers', () => {
  it('carry an outcome with and without a payload', () => {
    expect(readMarkers('Done.\n<<<OUTCOME:pr_ready>>>\n<<<END_PAYLOAD>>>')).toEqual({
      kind: 'found',
      outcome: 'pr_ready',
      payload: undefined,
    });
    expect(readMarkers('<<<OUTCOME:needs_info>>>\n{"questions":[]}\n<<<END_PAYLOAD>>>')).toEqual({
      kind: 'found',
      outcome: 'needs_info',
      payload: { questions: [] },
    });
  });

  it('count only when they are the last ones, whole and valid', () => {
    expect(
      readMarkers('I was told <<<OUTCOME:name>>> … <<<END_PAYLOAD>>>, so <<<OUTCOME:approved>>><<<END_PAYLOAD>>>'),
    ).toMatchObject({ outcome: 'approved' });
    expect(readMarkers('no markers')).toEqual({ kind: 'none' });
    expect(readMarkers('<<<OUTCOME:x>>>{"half": <<<END_PAYLOAD>>>')).toMatchObject({ kind: 'broken', outcome: 'x' });
    expect(readMarkers('<<<OUTCOME:x>>> and then nothing')).toEqual({
      kind: 'found',
      outcome: 'x',
      payload: undefined,
    });
  });

  it('take a payload out of the fence that models like to put around it', () => {
    expect(readMarkers('<<<OUTCOME:x>>>\n```json\n{"a": "```"}\n```\n<<<END_PAYLOAD>>>')).toMatchObject({
      payload: { a: '```' },
    });
  });

  it('are read from any text without a throw', () => {
    const part = fc.constantFrom(
      '<<<OUTCOME:x>>>',
      '<<<OUTCOME:',
      '>>>',
      '<<<END_PAYLOAD>>>',
      '{"a":1}',
      '```',
      '\n',
      'text',
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const text = parts.join('');
        expect(['none', 'broken', 'found']).toContain(readMarkers(text).kind);
        expect(withoutMarkers(text)).not.toContain('<<<OUTCOME:x>>>');
      }),
      { numRuns: runs(200) },
    );
  });

  it('bring back any JSON payload, whatever text surrounds them', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (before, payload) => {
        fc.pre(!before.includes('<<<'));
        const text = `${before}<<<OUTCOME:needs_info>>>\n${JSON.stringify(payload)}\n<<<END_PAYLOAD>>>`;
        const marked = readMarkers(text);
        expect(marked).toEqual({ kind: 'found', outcome: 'needs_info', payload: JSON.parse(JSON.stringify(payload)) });
        expect(withoutMarkers(text)).toBe(before.trim());
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('outcomes', () => {
  const comment = (severity: string) => ({ summary: 's', comments: [{ comment: 'c', severity }] });

  it('are judged by what was offered', () => {
    const choices = outcomeChoices(Object.keys(OUTCOME_SCHEMAS));
    const judge = (outcome: string, payload: unknown) => judgePayload(choices, outcome, payload);
    expect(judge('pr_ready', null)).toBeNull();
    expect(judge('nonsense', null)).toContain('"nonsense" is not possible here; possible are plan_complete');
    expect(judge('needs_info', null)).toContain('needs a payload');
    expect(judge('needs_info', { questions: [] })).toContain('not valid');
    expect(judge('needs_info', { questions: [{ id: '1', question: 'Which?' }] })).toBeNull();
    expect(judge('options_proposed', { summary: 's', options: [{ id: 'a', label: 'A', description: 'a' }] })).toContain(
      'not valid',
    );
    expect(judge('changes_requested', comment('nit'))).toBeNull();
    expect(judge('changes_requested', comment('must_fix'))).toContain('not valid');
  });

  it('read older names of severities as critical', () => {
    expect(readPayload('changes_requested', comment('must_fix'))).toEqual(comment('critical'));
    expect(readPayload('changes_requested', comment('should_fix'))).toEqual(comment('critical'));
  });

  it('ask whatever was asked, in whatever form', () => {
    const asked = (payload: unknown) => readPayload('needs_info', payload);
    const one = { questions: [{ id: 'q1', question: 'Which?' }] };
    for (const form of [
      'Which?',
      { question: 'Which?' },
      { questions: ['Which?'] },
      { questions: [{ question: ' Which? ' }] },
    ])
      expect(asked(form)).toEqual(one);
    expect(asked({ question: 'Which?', options: ['a'] })).toEqual({
      questions: [{ id: 'q1', question: 'Which?', options: ['a'] }],
    });
    expect(asked({ questions: [{ id: 'x', question: 'Which?' }, {}] })).toEqual({
      questions: [{ id: 'x', question: 'Which?' }],
    });
    expect(asked({ other: 1 })).toEqual({ other: 1 });
  });

  it('exist for every mode', () => {
    for (const name of Object.values(MODE_OUTCOMES).flat()) expect(OUTCOME_SCHEMAS).toHaveProperty(name);
  });
});
