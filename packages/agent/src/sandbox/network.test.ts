import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { defined } from '@attractor/base';
import { createHostJudge, makePrivateFolder, openGate } from '@attractor/confine/testing';
import { sandboxWorld } from './test-support/sandbox-world.ts';
import { isPublicAddress, matchesRule, type NetworkPolicy, parseHost, parseHostRule } from '@attractor/confine';

const PUBLIC = '93.184.215.14';

const judgeWith = (policy: NetworkPolicy, addresses: ReadonlyArray<string> = [PUBLIC]) =>
  createHostJudge(policy, async () => addresses);

describe('host rules compare labels (T26)', () => {
  test.for([
    ['good.test:443', 'good.test', true],
    ['GOOD.TEST.:443', 'good.test', true],
    ['good.test:80', 'good.test', true],
    ['good.test:22', 'good.test', false],
    ['good.test:8443', 'good.test:8443', true],
    ['good.test:443', 'good.test:8443', false],
    ['good.test.evil.test:443', 'good.test', false],
    ['evilgood.test:443', 'good.test', false],
    ['sub.good.test:443', 'good.test', false],
    ['sub.good.test:443', '*.good.test', true],
    ['good.test:443', '*.good.test', false],
    ['evil-good.test:443', '*.good.test', false],
    ['a.b.good.test:443', '*.good.test', true],
    ['good.test@evil.test:443', 'good.test', false],
    ['evil.test/good.test:443', 'good.test', false],
    ['evil.test#good.test:443', 'good.test', false],
    ['evil.test\\good.test:443', 'good.test', false],
    ['b\u00fccher.test:443', 'xn--bcher-kva.test', true],
    ['g\u043e\u043ed.test:443', 'good.test', false],
    ['good.test', 'good.test', false],
    ['good.test:443:443', 'good.test', false],
    ['good.test:0', 'good.test', false],
    ['0x7f.1:443', 'good.test', false],
  ] as const)('%s under %s: %s', async ([authority, rule, allowed]) => {
    expect((await judgeWith({ allowedDomains: [rule] })(authority)).allowed).toBe(allowed);
  });

  test('what is no rule allows nothing, and what is no rule among the denied denies all', async () => {
    for (const rule of [
      '*',
      '*.*',
      'http://good.test',
      'good.test/',
      'user@good.test',
      '',
      ' ',
      '.test',
      'good..test',
      '[::1]',
    ]) {
      expect((await judgeWith({ allowedDomains: [rule] })('good.test:443')).allowed).toBe(false);
    }
    expect((await judgeWith({ allowedDomains: ['good.test'], deniedDomains: ['*'] })('good.test:443')).allowed).toBe(
      false,
    );
    expect(
      (await judgeWith({ allowedDomains: ['*.good.test'], deniedDomains: ['a.good.test'] })('a.good.test:443')).allowed,
    ).toBe(false);
  });

  test('a host matches a rule only when it ends in the labels of the rule', () => {
    const label = fc.stringMatching(/^[a-z]{1,3}$/);
    fc.assert(
      fc.property(
        fc.array(label, { minLength: 1, maxLength: 4 }),
        fc.array(label, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (host, name, below) => {
          const parsed = parseHost(`${host.join('.')}.test:443`);
          const rule = parseHostRule(`${below ? '*.' : ''}${name.join('.')}.test`);
          if (parsed === null || rule === null) throw new Error('a plain name must be readable');
          const tail = host.slice(-name.length).join('.') === name.join('.');
          expect(matchesRule(parsed, rule)).toBe(
            tail && (below ? host.length > name.length : host.length === name.length),
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('addresses', () => {
  test.for([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '168.63.129.16',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'ff02::1',
    'no address',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  test.for([PUBLIC, '1.1.1.1', '2606:4700:4700::1111'])('%s is public', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  test('an allowed name that leads to a private address is refused, even beside a public one', async () => {
    for (const addresses of [['127.0.0.1'], [PUBLIC, '169.254.169.254'], []]) {
      expect((await judgeWith({ allowedDomains: ['good.test'] }, addresses)('good.test:443')).allowed).toBe(false);
    }
  });
});

/** A site on loopback that stands for all public addresses; what is dialled is noted. */
async function site(): Promise<{
  readonly policy: NetworkPolicy;
  readonly dialled: string[];
  readonly server: Server;
}> {
  const server = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://evil.test/' }).end();
    else response.end(`REACHED ${request.headers.host} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const dialled: string[] = [];
  const policy: NetworkPolicy = {
    allowedDomains: ['good.test', 'good.test:8443', 'private.test'],
    resolve: async (name) => [name === 'private.test' ? '10.0.0.1' : PUBLIC],
    dial: (to, toPort) => {
      dialled.push(`${to}:${toPort}`);
      return connect({ host: '127.0.0.1', port });
    },
  };
  return { policy, dialled, server };
}

describe('the way out', () => {
  test('allowed domains are reached, by plain requests and by tunnels; nothing else is', async (context) => {
    const { policy, dialled } = await site();
    const world = await sandboxWorld(context, { network: policy });
    const { stdout } = await world.run(
      [
        'curl -s http://good.test/plain; echo',
        'curl -sp http://good.test/tunnel; echo',
        'curl -s http://evil.test/; curl -sp http://evil.test:80/ && echo LEAKED',
        'curl -s http://private.test/',
        'curl -s http://good.test.evil.test/',
        'curl -s http://good.test:22/',
        'curl -sL http://good.test/away',
        "curl -s --noproxy '*' --max-time 2 http://1.1.1.1/ && echo LEAKED",
        'exec 3<>/dev/tcp/1.1.1.1/80 && echo LEAKED',
        'exit 5',
      ].join('\n'),
    );
    expect(stdout).toContain('REACHED good.test /plain');
    expect(stdout).toContain('REACHED good.test /tunnel');
    expect(stdout).not.toContain('LEAKED');
    expect(stdout.match(/not among the allowed domains/g)).toHaveLength(4);
    expect(stdout).toContain('leads to a private address');
    expect(new Set(dialled)).toEqual(new Set([`${PUBLIC}:80`]));
  });

  test('a bridged command keeps its exit code, and ends when asked', async (context) => {
    const { policy } = await site();
    const world = await sandboxWorld(context, { network: policy });
    expect(await world.run('echo out; exit 5')).toMatchObject({ exitCode: 5, stdout: 'out\n' });
    const asked = await world.environment.execCommand(
      `trap 'echo tidied; exit 7' TERM; while :; do sleep 0.05; done`,
      6_000,
    );
    expect(asked).toMatchObject({ timedOut: true, exitCode: 7, stdout: 'tidied\n' });
  });

  const unreadable = fc.constantFrom('*', '', ' ', 'http://a', 'a/b', 'a@b', '*.');
  const nothing = fc.oneof(
    fc.constant(undefined),
    fc.record(
      {
        allowedDomains: fc.oneof(fc.constant(undefined), fc.array(unreadable, { maxLength: 3 })),
        deniedDomains: fc.array(fc.string()),
      },
      { requiredKeys: [] },
    ),
  );

  test('missing, empty and unreadable lists of domains all mean no network (T27)', async (context) => {
    const folder = makePrivateFolder();
    onTestFinished(folder.remove);
    fc.assert(
      fc.property(nothing, (network) => {
        expect(openGate(network as NetworkPolicy, folder)).toBeNull();
      }),
      { numRuns: 100, examples: [[undefined], [{}], [{ allowedDomains: [] }], [{ allowedDomains: undefined }]] },
    );
    for (const network of [{}, { allowedDomains: [] }, { allowedDomains: ['no domain'] }])
      expect(await judgeWith(network)('example.com:443')).toMatchObject({ allowed: false });
    for (const network of [undefined, {}, { allowedDomains: [] }]) {
      const closed = await sandboxWorld(context, defined({ network }));
      const { stdout } = await closed.run(
        'ls /sys/class/net; cat /proc/net/dev | grep -c :; exec 3<>/dev/tcp/1.1.1.1/80 && echo LEAKED',
      );
      expect(stdout).not.toContain('LEAKED');
      expect(stdout).toContain('1');
    }
  });
});
