import { createServer } from 'node:net';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { createSandbox } from '@attractor/confine';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/index.ts';
import { openAgentSession } from '../open/open-agent-session.ts';
import { call, createScriptedClient } from '../testing/index.ts';
import { createPersistentShell } from '../tools/background/persistent-shell.ts';
import { bubblewrapOrSkip, sandboxWorld } from './test-support/sandbox-world.ts';

const NOTE = /\[The sandbox: [^\]]*\]/g;

async function told(context: Pick<TestContext, 'skip'>, policy = {}) {
  const world = await sandboxWorld(context, policy);
  return { ...world, notes: async (command: string) => (await world.run(command)).stderr.match(NOTE) ?? [] };
}

describe('what a sandbox keeps a command from', () => {
  it('is said with what would allow it: a file outside, a protected one, one that a setting names', async (context) => {
    const { notes, beside, root, home } = await told(context, {});
    const allow = 'sandbox.filesystem.allowWrite';
    for (const command of [
      `echo x > ${beside}/b.txt`,
      `touch ${beside}/new`,
      `cp a.txt ${beside}/c.txt`,
      `node -e 'require("fs").writeFileSync("${beside}/n", "")'`,
      `python3 -c 'open("${beside}/p", "w")'`,
      'touch ~/made',
    ])
      expect([command, await notes(command)]).toEqual([
        command,
        [expect.stringMatching(/lies outside the workspace.*--add-dir/)],
      ]);
    for (const command of ['echo x > .claude/settings.json', 'echo x > ./.claude/settings.json', 'git config a.b c'])
      expect([command, await notes(command)]).toEqual([command, [expect.stringContaining(allow)]]);
    expect(await notes(`cat ${home}/.ssh/id_ed25519`)).toEqual([
      expect.stringMatching(/holds secrets.*excludedCommands/),
    ]);
    const sandbox = createSandbox({
      bubblewrap: await bubblewrapOrSkip(context),
      roots: [root],
      denyWrite: [`${root}/a.txt`],
    });
    const fixed = createLocalExecutionEnvironment(root, 'inherit_core', { sandbox });
    onTestFinished(async () => {
      await fixed.cleanup();
      await sandbox.close();
    });
    expect((await fixed.execCommand('echo x > a.txt')).stderr).toMatch(
      /because sandbox\.filesystem\.denyWrite names it/,
    );
  });

  it('is said of the network: that there is none, or which host was refused, and of services of this machine', async (context) => {
    const none = await told(context);
    expect(await none.notes('curl -sS https://packages.example.com/x')).toEqual([
      expect.stringMatching(/no network.*"packages\.example\.com" to sandbox\.network\.allowedDomains/),
    ]);
    expect(
      await none.notes(
        `node -e 'fetch("https://packages.example.com").catch((e) => { console.error(e.cause); process.exit(1) })'`,
      ),
    ).toEqual([expect.stringContaining('allowedDomains')]);
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await none.notes(`curl -sS http://127.0.0.1:${port}/`)).toEqual([
      expect.stringContaining(`port ${port} of this machine`),
    ]);
    const some = await told(context, {
      network: { allowedDomains: ['packages.example.com'], deniedDomains: ['bad.example.com'] },
    });
    expect(await some.notes('curl -sS https://other.example.com/ || true')).toEqual([
      expect.stringMatching(/"other\.example\.com:443".*add "other\.example\.com" to sandbox\.network\.allowedDomains/),
    ]);
    expect(await some.notes('curl -sS http://bad.example.com/')).toEqual([expect.stringContaining('deniedDomains')]);
  });

  it('may be the cause of a message that names no place and no address: what commands can reach is said', async (context) => {
    const { notes, beside } = await told(context);
    const elsewhere = [expect.stringMatching(/in the workspace, .*If this one meant another place.*--add-dir/)];
    for (const command of [
      `perl -e 'open(F, ">", "${beside}/x") or die $!'`,
      `perl -e 'mkdir("${beside}/x") or die "could not save: $!\\n"'`,
    ])
      expect([command, await notes(command)]).toEqual([command, elsewhere]);
    const connect = `use IO::Socket::INET; IO::Socket::INET->new(PeerAddr => "127.0.0.1:1") or die`;
    expect(await notes(`perl -e '${connect} "$!\\n"'`)).toEqual([
      expect.stringMatching(/services of this machine.*excludedCommands/),
    ]);
    expect(await notes(`perl -e '${connect} "127.0.0.1:1: $!\\n"'`)).toEqual([]);
    expect(await notes(`perl -e 'open(F, ">", "${beside}/x") or die $!'; touch ${beside}/y`)).toEqual([
      expect.stringMatching(/lies outside the workspace/),
    ]);
  });

  it('is blamed for nothing else', async (context) => {
    const { notes, root } = await told(context);
    mkdirSync(path.join(root, 'shut'));
    for (const command of [
      'false',
      'cat missing.txt',
      'cat /nowhere/at/all',
      'ls /root-of-nothing',
      'curl -sS http://127.0.0.1:1/',
      'no-such-program',
      'exit 3',
      'echo "could not resolve host: x.example.com"',
    ])
      expect([command, await notes(command)]).toEqual([command, []]);
  });
});

it('a command in the background, and each one of a shell that stays open, is explained too', async (context) => {
  const { environment, beside } = await sandboxWorld(context);
  const said = async (command: string): Promise<string> => {
    let text = '';
    const running = await environment.startCommand?.(command, {
      onOutput: (chunk) => (text += Buffer.from(chunk).toString()),
    });
    await running?.ended;
    return text;
  };
  expect(await said(`echo first; touch ${beside}/new`)).toMatch(/^first\n[^]*\n\[The sandbox: .*--add-dir.*\]\n$/);
  expect(await said('mkdir .vscode; echo x > .vscode/x; sleep 0.1; true')).toMatch(/\[The sandbox: .*\.vscode/);
  expect(await said('echo fine; cat missing')).not.toContain('The sandbox');
  const shell = createPersistentShell();
  onTestFinished(() => shell.end());
  const open = shell.over(environment);
  expect((await open.execCommand('x=1; echo one')).stderr).toBe('');
  expect((await open.execCommand(`touch ${beside}/new`)).stderr).toMatch(NOTE);
  expect(await open.execCommand('echo $x; cat missing')).toMatchObject({
    stdout: '1\n',
    stderr: expect.not.stringContaining('The sandbox'),
  });
});

it('a model is told what its commands can not do, where they can write and which folders there are', async (context) => {
  const bubblewrap = await bubblewrapOrSkip(context);
  const [folder, further] = [makeFolder(), makeFolder()];
  const sandbox = createSandbox({
    bubblewrap,
    roots: [folder, further],
    network: { allowedDomains: ['a.example.com'] },
  });
  const client = createScriptedClient([
    { calls: [call('shell', { command: `python3 -c 'open("/var/lib/made-by-a-test", "w")'` })] },
    { text: 'ok' },
  ]);
  const opened = await openAgentSession({
    folder,
    furtherFolders: [further],
    client,
    provider: 'anthropic',
    sandbox,
    mode: 'bypassPermissions',
  });
  if (!opened.ok) throw new Error(opened.error.message);
  onTestFinished(async () => {
    await opened.value.close();
    await sandbox.close();
  });
  await opened.value.send('go');
  const [first, second] = client.requests.map((request) => JSON.stringify(request));
  for (const words of [
    `Further folders: ${further}`,
    `change files in ${folder}, ${further}`,
    'reach a.example.com',
    'sandbox.excludedCommands',
  ])
    expect(first).toContain(words);
  expect(second).toContain('made-by-a-test can’t be changed, because it lies outside the workspace');
});
