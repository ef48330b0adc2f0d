import { describe, expect, it } from 'vitest';
import { createPolicy, parseRule, type PermissionMode, type PermissionRule } from '@attractor/policy';
import { withinDomains, type DomainLimits } from './within-domains.ts';

const MODES: ReadonlyArray<PermissionMode> = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'];

function allowRule(text: string): PermissionRule {
  const parsed = parseRule(text, 'allow', { scope: 'user', file: null, line: null, root: '/w' });
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.rule;
}

function policyOf(limits: Partial<DomainLimits>, mode: PermissionMode = 'default', rules: ReadonlyArray<string> = []) {
  const policy = createPolicy({ rules: rules.map(allowRule), mode, root: '/w', home: '/h', sandboxed: true });
  return withinDomains(policy, { commands: 'confined', ...limits });
}

const fetching = (url: string, isMentioned = false) => ({ toolName: 'WebFetch', args: { url }, isMentioned });

describe('pages within the domains of the sandbox', () => {
  it.each(MODES)('are denied where their domain is, whatever is allowed besides (%s)', async (mode) => {
    const limits = { allowedDomains: ['bad.test'], deniedDomains: ['bad.test', '*.worse.test:443'] };
    const policy = policyOf(limits, mode, ['WebFetch', 'WebFetch(domain:bad.test)']);
    for (const url of [
      'https://bad.test/x',
      'http://BAD.test./',
      'https://bad.test:8443/',
      'https://a.b.worse.test/',
      'http://a.worse.test:8080/',
    ])
      expect(await policy.judge(fetching(url, true)), url).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining('deniedDomains'),
      });
    expect((await policy.judge(fetching('https://bad.test.good.test/'))).decision).toBe('allow');
  });

  it('are denied altogether by a limit that can not be read, and with no waiver', async () => {
    const policy = policyOf({ deniedDomains: ['not a domain'], commands: 'free' }, 'bypassPermissions');
    expect((await policy.judge(fetching('https://any.test/'))).decision).toBe('deny');
  });

  it('ask outside the list in every mode that asks, named in the conversation or not', async () => {
    const limits = { allowedDomains: ['good.test'] };
    for (const mode of MODES)
      for (const isMentioned of [true, false])
        expect(await policyOf(limits, mode).judge(fetching('https://other.test/', isMentioned))).toMatchObject({
          decision: mode === 'dontAsk' ? 'deny' : 'ask',
          suggestion: 'WebFetch(domain:other.test)',
        });
    const bypass = policyOf(limits, 'bypassPermissions');
    expect((await bypass.judge(fetching('https://good.test/'))).decision).toBe('allow');
    expect((await bypass.judge(fetching('https://good.test:8443/'))).decision).toBe('ask');
    expect((await bypass.judge(fetching('https://good.test.evil.test/'))).decision).toBe('ask');
    expect((await policyOf(limits).judge(fetching('https://good.test/', true))).decision).toBe('allow');
  });

  it('without a list: what was named is read, what the model made up asks, even where everything else runs', async () => {
    for (const limits of [{}, { allowedDomains: [] }])
      for (const mode of ['default', 'bypassPermissions'] as const) {
        expect((await policyOf(limits, mode).judge(fetching('https://a.test/', true))).decision).toBe('allow');
        expect((await policyOf(limits, mode).judge(fetching('https://a.test/'))).decision).toBe('ask');
      }
  });

  it('are read where a rule of a person allows them, and where a person waived the sandbox', async () => {
    const ruled = policyOf({ allowedDomains: ['good.test'] }, 'default', ['WebFetch(domain:other.test)']);
    expect((await ruled.judge(fetching('https://other.test/'))).decision).toBe('allow');
    const waived = policyOf({ allowedDomains: ['good.test'], commands: 'free' }, 'bypassPermissions');
    expect((await waived.judge(fetching('https://other.test/'))).decision).toBe('allow');
  });

  it('stay so for children, other modes and further rules; other tools are judged as before', async () => {
    const policy = policyOf({ allowedDomains: ['good.test'], deniedDomains: ['bad.test'] });
    for (const one of [
      policy.withMode('bypassPermissions'),
      policy.withRules([allowRule('WebFetch(domain:bad.test)')]),
      policy.subsetFor({ mode: 'bypassPermissions' }),
      policy.subsetFor({}).subsetFor({}).withMode('acceptEdits'),
    ]) {
      expect((await one.judge(fetching('https://bad.test/'))).decision).toBe('deny');
      expect((await one.judge(fetching('https://other.test/'))).decision).toBe('ask');
    }
    expect((await policy.judge({ toolName: 'read_file', args: { file_path: 'a' } })).decision).toBe('allow');
    expect((await policy.judge(fetching('file:///etc/passwd'))).decision).toBe('ask');
  });
});
