import { describe, expect, it } from 'vitest';
import { REDACTED, redactEvent, redactText } from './redact.ts';

const key = `sk-ant-${'a1B2'.repeat(10)}`;

describe('redactText', () => {
  it.each([
    ['an Anthropic key', key],
    ['an OpenAI key', `sk-proj-${'x'.repeat(40)}`],
    ['a GitHub token', `ghp_${'x'.repeat(36)}`],
    ['an AWS key id', 'AKIAIOSFODNN7EXAMPLE'],
    ['a Google key', `AIza${'x'.repeat(35)}`],
    ['a Slack token', 'xoxb-1234567890-abc'],
    ['a JSON web token', `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----'],
  ])('takes out %s', (_, secret) => {
    expect(redactText(`before ${secret} after`)).toBe(`before ${REDACTED} after`);
  });

  it('keeps what stands around a secret', () => {
    expect(redactText(`Authorization: Bearer ${'t'.repeat(30)}`)).toBe(`Authorization: Bearer ${REDACTED}`);
    expect(redactText('https://ada:hunter22@example.test/x')).toBe(`https://ada:${REDACTED}@example.test/x`);
  });

  it.each([
    'const token = readToken();',
    'sk-learn',
    'https://example.test:8080/a@b',
    'see ghp_ prefix',
    'npm_config_arch',
    'the bearer of news',
  ])('leaves %j alone', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('redactEvent', () => {
  it('reaches every string, and gives the same object when there is nothing to hide', () => {
    const clean = { kind: 'USER_INPUT', content: 'plain' } as const;
    expect(redactEvent(clean)).toBe(clean);
    const event = redactEvent({
      kind: 'TOOL_CALL_START',
      toolCallId: '1',
      toolName: 'write_file',
      args: { deep: [{ content: `KEY=${key}` }] },
    });
    expect(event).toMatchObject({ args: { deep: [{ content: `KEY=${REDACTED}` }] } });
  });

  it('keeps an error an error', () => {
    const event = redactEvent({
      kind: 'ERROR',
      error: Object.assign(new TypeError(`bad key ${key}`), { code: 'authentication' }),
    });
    expect(event).toMatchObject({
      error: { name: 'TypeError', message: `bad key ${REDACTED}`, code: 'authentication' },
    });
  });
});
