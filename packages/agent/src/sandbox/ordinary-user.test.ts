import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const NOBODY = 65_534;
const CHILD = path.join(import.meta.dirname, '../test-support/ordinary-user-child.ts');

/** A home and a workspace of a user without rights, outside /tmp: commands have their own there. */
function makeWorld(): { readonly home: string; readonly root: string; readonly beside: string } {
  const top = mkdtempSync('/var/lib/attractor-test-');
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [home, root, beside] = ['home', 'home/work', 'home/beside'].map((name) => path.join(top, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, root, beside, path.join(home, '.ssh')]) mkdirSync(folder);
  writeFileSync(path.join(home, '.ssh/id_ed25519'), 'CANARY-4711');
  chmodSync(top, 0o755);
  for (const place of [home, root, beside, path.join(home, '.ssh'), path.join(home, '.ssh/id_ed25519')])
    chownSync(place, NOBODY, NOBODY);
  return { home, root, beside };
}

/** A program of the repository's that git would run. */
const EVIL = String.raw`printf '[core]\n\tfsmonitor = ./evil\n'`;

const USER = { uid: NOBODY, gid: NOBODY };

function ordinaryOrSkip(skip: (why: string) => void): void {
  if (process.getuid?.() !== 0) skip('only root can become another user');
  if (spawnSync('/usr/bin/test', ['-r', CHILD], USER).status !== 0) skip('this checkout is not readable for others');
}

it('a user without rights and without bubblewrap is told so, and nothing runs unattended unless they allow it', ({
  skip,
}) => {
  ordinaryOrSkip(skip);
  const { home, root } = makeWorld();
  const { stdout } = spawnSync(process.execPath, [CHILD, root, 'none'], {
    ...USER,
    env: { PATH: '/usr/bin:/bin', HOME: home, APP_MODE: 'test', MY_TOKEN: 'CANARY-4713' },
    input: JSON.stringify(['id -u; echo "$APP_MODE"; env', 'echo x > a.txt; stat -c %u a.txt']),
    encoding: 'utf8',
  });
  const { told, said }: { readonly told: ReadonlyArray<unknown>; readonly said: ReadonlyArray<string> } =
    JSON.parse(stdout);
  const why =
    /there is no sandbox here: bubblewrap \(bwrap\) is not installed\. Install bubblewrap .* Or add --allow-unsandboxed/;
  expect(told).toEqual([
    {
      kind: 'refused',
      message: expect.stringMatching(new RegExp(`^An unattended run needs a sandbox, and ${why.source}`)),
    },
    { kind: 'refused', message: expect.stringMatching(new RegExp(`^bypassPermissions .*${why.source}`)) },
    {
      kind: 'unsandboxed',
      notice: expect.stringMatching(/^Commands run without a sandbox: bubblewrap .* Install bubblewrap/),
    },
    { kind: 'unsandboxed', notice: null },
  ]);
  expect(said[0]).toMatch(/^65534\ntest\n/);
  expect(said[1]).toBe('65534\n');
  expect(JSON.stringify(said)).not.toContain('CANARY');
});

it('a user without rights has the same sandbox', ({ skip }) => {
  ordinaryOrSkip(skip);
  const { home, root, beside } = makeWorld();
  const commands = [
    'id -u; echo "$APP_MODE"; grep NoNewPrivs /proc/self/status',
    'git init -q . && echo x > a.txt && git add a.txt && git -c user.name=A -c user.email=a@b commit -qm one && git log --format=%s',
    `echo x > ${beside}/x`,
    'cat ~/.ssh/id_ed25519',
    'curl -sS https://a.example.com',
    'mkdir .vscode; echo {} > .vscode/tasks.json; sleep 0.2; ls -A',
    `perl -e 'my $n = 0; while ($n < 60) { my $p = fork; last if !defined $p; if ($p == 0) { sleep 2; exit } $n++ } print $n'`,
    'cp /bin/true t; chmod u+s t; stat -c %a t',
    'kill -0 1 && ls /proc | grep -c "^[0-9]"; unshare -U true',
    `mkdir -m 300 c; git init -q c/s; chmod 300 c/s/.git c/s/.git/hooks; ${EVIL} > c/s/.git/config; echo x > c/s/.git/hooks/pre-push; mkdir d; git init -q d/s; chmod 000 d; sleep 0.2; stat -c %a c d`,
    `chmod 700 d; ${EVIL} > d/s/.git/config; sleep 0.2`,
  ];
  const env = { PATH: '/usr/bin:/bin', HOME: home, APP_MODE: 'test', MY_TOKEN: 'CANARY-4712' };
  const ended = spawnSync(process.execPath, [CHILD, root], {
    ...USER,
    env,
    input: JSON.stringify(commands),
    encoding: 'utf8',
  });
  const { reason, said = [] }: { readonly reason?: string; readonly said?: ReadonlyArray<string> } = JSON.parse(
    ended.stdout || '{}',
  );
  if (reason !== undefined) skip(`no sandbox for users without rights here: ${reason}`);
  const [who, commit, outside, secret, network, obeyed, processes, setuid, apart, unlisted, shut] = said;
  expect(who).toMatch(/^65534\ntest\nNoNewPrivs:\s1/);
  expect(commit).toContain('one');
  expect(outside).toMatch(/The sandbox: .*lies outside the workspace/);
  expect(secret).toMatch(/The sandbox: .*holds secrets/);
  expect(network).toMatch(/The sandbox: .*"a\.example\.com"/);
  expect(obeyed).toMatch(/The sandbox: \.vscode/);
  expect(Number.parseInt(processes ?? '', 10)).toBeLessThan(45);
  expect(setuid).not.toMatch(/^4/m);
  expect(apart).toMatch(/unshare|not permitted|No space/);
  expect(unlisted).toMatch(/c\/s\/\.git\/config was put aside/);
  expect(unlisted).toMatch(/c\/s\/\.git\/hooks\/pre-push was put aside/);
  expect(unlisted).toMatch(/^300\n0\n/);
  expect(shut).toMatch(/d\/s\/\.git\/config was put aside/);
  expect(JSON.stringify(said)).not.toContain('CANARY');
  expect(existsSync(path.join(beside, 'x'))).toBe(false);
  expect(statSync(path.join(root, 'a.txt')).uid).toBe(NOBODY);
  expect(readdirSync(root)).not.toContain('.vscode');
});
