import { spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PROTECTED_NAMES } from '@attractor/confine';
import { newId } from '@attractor/base/id';
import { createProcessBound } from '@attractor/confine/testing';
import { git, SECRET, sandboxWorld, type SandboxWorld } from './test-support/sandbox-world.ts';

type Probe = {
  readonly name: string;
  /** What an attacker runs. */
  readonly attack: (world: SandboxWorld) => string | Promise<string>;
  /** What it would have changed or printed on the host. */
  readonly isUnharmed: (world: SandboxWorld, output: string) => void | Promise<void>;
};

const mark = newId('probe');

const untouched =
  (file: (world: SandboxWorld) => string) =>
  (world: SandboxWorld): void => {
    expect(existsSync(file(world))).toBe(false);
  };

const unchanged =
  (file: string, text: string) =>
  ({ top }: SandboxWorld): void => {
    expect(readFileSync(path.join(top, file), 'utf8')).toBe(text);
  };

const silent = (_: SandboxWorld, output: string): void => {
  expect(output).not.toContain(SECRET);
  expect(output).not.toContain('REACHED');
};

/** A server on the host that counts who comes. */
async function listening(
  where: Parameters<Server['listen']>[0],
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => socket.on('error', () => undefined).end('REACHED\n'));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(where, resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

const connectUnix = (file: string): string =>
  `perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0) && connect(S,sockaddr_un($ARGV[0])) && print scalar <S>' -- '${file}'`;

const PROBES: ReadonlyArray<Probe> = [
  {
    name: 'write to the root of the file system',
    attack: () => `touch /${mark}; mkdir /${mark}`,
    isUnharmed: untouched(() => `/${mark}`),
  },
  {
    name: 'write to /usr, /etc and /var',
    attack: () => `for f in /usr/bin /etc /etc/profile.d /var/lib /opt /boot; do touch $f/${mark}; done`,
    isUnharmed: () => {
      for (const folder of ['/usr/bin', '/etc', '/var/lib', '/opt'])
        expect(existsSync(`${folder}/${mark}`)).toBe(false);
    },
  },
  {
    name: 'write to the home folder',
    attack: () => `echo evil >> ~/.bashrc; touch ~/${mark}; rm -f ~/.gitconfig`,
    isUnharmed: (world) => {
      unchanged('home/.bashrc', 'true\n')(world);
      expect(readdirSync(world.home)).toContain('.gitconfig');
      expect(readdirSync(world.home)).not.toContain(mark);
    },
  },
  {
    name: 'leave something in /tmp for another program',
    attack: () => `echo evil > /tmp/${mark}`,
    isUnharmed: untouched(() => path.join(os.tmpdir(), mark)),
  },
  {
    name: 'the same in /var/tmp',
    attack: () => `echo evil > /var/tmp/${mark}`,
    isUnharmed: untouched(() => `/var/tmp/${mark}`),
  },
  {
    name: 'see what others left in /tmp',
    attack: () => {
      const file = path.join(os.tmpdir(), mark);
      writeFileSync(file, SECRET);
      onTestFinished(() => rmSync(file));
      return `cat /tmp/* ${file}`;
    },
    isUnharmed: silent,
  },
  {
    name: 'write to the folder beside, another worktree for one',
    attack: ({ beside }) => `echo evil > ../beside/b.txt; echo evil > '${beside}/b.txt'; rm -rf ../beside`,
    isUnharmed: unchanged('beside/b.txt', 'beside\n'),
  },
  {
    name: 'write through a link',
    attack: ({ beside }) => `ln -s '${beside}' out; echo evil > out/b.txt; ln -s ../beside/b.txt f; echo evil > f`,
    isUnharmed: unchanged('beside/b.txt', 'beside\n'),
  },
  {
    name: 'write through a hard link',
    attack: () => 'ln ../beside/b.txt hard; echo evil > hard; ln .git/config hard2 && echo evil >> hard2',
    isUnharmed: (world) => {
      unchanged('beside/b.txt', 'beside\n')(world);
      expect(readFileSync(path.join(world.root, '.git/config'), 'utf8')).not.toContain('evil');
    },
  },
  {
    name: 'install a git hook',
    attack: () =>
      'echo evil > .git/hooks/post-commit; mv .git/hooks .git/h; rm -rf .git/hooks; mkdir -p .git/hooks; echo evil > .git/hooks/post-checkout',
    isUnharmed: ({ root }) => {
      const hooks = readdirSync(path.join(root, '.git/hooks'));
      expect(hooks.filter((name) => !name.endsWith('.sample'))).toEqual([]);
    },
  },
  {
    name: 'set a program in the configuration of git',
    attack: () =>
      'git config core.fsmonitor ./evil; echo "[core] fsmonitor = evil" >> .git/config; cp .git/config c; echo evil >> c; mv -f c .git/config',
    isUnharmed: ({ root }) => expect(readFileSync(path.join(root, '.git/config'), 'utf8')).not.toContain('evil'),
  },
  {
    name: 'point git to another repository (commondir) or to further configuration',
    attack: () => 'echo evil > .git/commondir; echo "[core] fsmonitor = evil" > .git/config.worktree',
    isUnharmed: ({ root }) => {
      expect(existsSync(path.join(root, '.git/commondir'))).toBe(false);
      expect(existsSync(path.join(root, '.git/config.worktree'))).toBe(false);
    },
  },
  {
    name: 'move a protected folder away and put another in its place',
    attack: () =>
      'mv .git .old; mkdir .git; mv .claude .c2; rm -rf .claude; mkdir .claude; echo evil > .claude/settings.json',
    isUnharmed: (world) => {
      unchanged('work/.claude/settings.json', '{}')(world);
      expect(existsSync(path.join(world.root, '.git/HEAD'))).toBe(true);
      expect(existsSync(path.join(world.root, '.old'))).toBe(false);
    },
  },
  {
    name: 'make settings that are not there yet (.agent/settings.json)',
    attack: () => 'mkdir -p .agent; echo evil > .agent/settings.json; rmdir .agent; mv .agent x; echo evil > .agent',
    isUnharmed: ({ root, sandbox }) =>
      sandbox.close().then(() => expect(existsSync(path.join(root, '.agent'))).toBe(false)),
  },
  {
    name: 'hand over to a program outside by any file that is obeyed (T19)',
    attack: () =>
      [...PROTECTED_NAMES]
        .map((name) => `(mkdir -p ${name}; echo evil > ${name}/settings.json; rm -rf ${name}; echo evil > ${name})`)
        .join('\n'),
    isUnharmed: async ({ root, sandbox }) => {
      await sandbox.close();
      const inHomeOnly = new Set([
        '.bashrc',
        '.profile',
        '.netrc',
        '.ssh',
        '.gnupg',
        '.inputrc',
        '.ripgreprc',
        '.pam_environment',
      ]);
      const handed = readdirSync(root).filter(
        (name) => PROTECTED_NAMES.has(name) && !inHomeOnly.has(name) && !/^\.(?:z|x|bash)/.test(name),
      );
      expect(handed).toEqual(['.claude', '.git']);
    },
  },
  {
    name: 'change settings of an editor deeper in the workspace',
    attack: () =>
      'echo evil > packages/a/.vscode/settings.json; rm -rf packages/a/.vscode; mv packages/a/.vscode packages/a/v',
    isUnharmed: unchanged('work/packages/a/.vscode/settings.json', '{}'),
  },
  {
    name: 'replace a protected link',
    attack: ({ root }) => {
      mkdirSync(path.join(root, 'shared'));
      symlinkSync('shared', path.join(root, '.cursor'));
      return 'rm .cursor; mkdir .cursor; echo evil > .cursor/mcp.json';
    },
    isUnharmed: ({ root }) => expect(readlinkSync(path.join(root, '.cursor'))).toBe('shared'),
  },
  {
    name: 'let git outside write through a link (reflog, commit message)',
    attack: ({ home }) =>
      `rm .git/logs/HEAD; ln -s '${home}/.bashrc' .git/logs/HEAD; ln -sf '${home}/.bashrc' .git/COMMIT_EDITMSG; ln -sf '${home}/.bashrc' .git/info/exclude; mv .git/logs .git/l; ln -s '${home}' .git/logs`,
    isUnharmed: (world) => {
      git(world.root, 'commit', '-q', '--allow-empty', '-m', 'evil');
      unchanged('home/.bashrc', 'true\n')(world);
      expect(lstatSync(path.join(world.root, '.git/info/exclude')).isSymbolicLink()).toBe(false);
    },
  },
  {
    name: 'leave by /proc/1/root and /proc/*/cwd',
    attack: ({ home }) =>
      `for p in /proc/[0-9]*; do echo evil >> $p/root'${home}'/.bashrc; echo evil > $p/cwd/../beside/b.txt; done`,
    isUnharmed: (world) => {
      unchanged('home/.bashrc', 'true\n')(world);
      unchanged('beside/b.txt', 'beside\n')(world);
    },
  },
  {
    name: 'change settings of the kernel',
    attack: () =>
      'echo 3 > /proc/sys/vm/swappiness && echo REACHED; echo "|/evil" > /proc/sys/kernel/core_pattern && echo REACHED; echo h > /proc/sysrq-trigger && echo REACHED',
    isUnharmed: (world, output) => {
      silent(world, output);
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).not.toContain('evil');
    },
  },
  {
    name: 'read the environment of processes outside',
    attack: async () => {
      await outsider();
      return `cat /proc/*/environ | tr '\\0' '\\n'`;
    },
    isUnharmed: silent,
  },
  {
    name: 'kill processes outside, the parent among them',
    attack: async () => `kill -9 ${await outsider()}; kill -9 $PPID; kill -9 -1`,
    isUnharmed: () => expect(living()).toBe(true),
  },
  {
    name: 'signal the process group',
    attack: async () => `${await outsider()}; kill -9 0`,
    isUnharmed: () => expect(living()).toBe(true),
  },
  {
    name: 'connect to a server on this machine, our own API for one',
    attack: async () => {
      const { port } = await listening({ port: 0, host: '127.0.0.1' });
      return `exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3; curl -s --max-time 2 telnet://127.0.0.1:${port}`;
    },
    isUnharmed: silent,
  },
  {
    name: 'the same by IPv6',
    attack: async () => {
      const { port } = await listening({ port: 0, host: '::1' });
      return `exec 3<>/dev/tcp/::1/${port} && cat <&3`;
    },
    isUnharmed: silent,
  },
  {
    name: 'connect to the internet, by address and by name',
    attack: () =>
      'exec 3<>/dev/tcp/1.1.1.1/443 && echo REACHED; getent hosts example.com && echo REACHED; echo x > /dev/udp/8.8.8.8/53 && echo REACHED',
    isUnharmed: silent,
  },
  {
    name: 'connect to an agent for keys (SSH_AUTH_SOCK)',
    attack: async ({ home }) => {
      const file = path.join(home, '.ssh/agent.sock');
      await listening({ path: file });
      return `echo "sock=$SSH_AUTH_SOCK"; ${connectUnix(file)}`;
    },
    isUnharmed: (world, output) => {
      silent(world, output);
      expect(output).toContain('sock=\n');
    },
  },
  {
    name: 'connect to the socket of a container engine',
    attack: async ({ home }) => {
      const file = path.join(home, '.docker/docker.sock');
      await listening({ path: file });
      return `${connectUnix(file)}; ls -A /run /var/run | sed 's/^/run: /'; test -S /var/run/docker.sock && echo REACHED`;
    },
    isUnharmed: silent,
  },
  {
    name: 'connect to an abstract socket',
    attack: async () => {
      await listening({ path: `\0${mark}` });
      return `perl -MSocket -e 'socket(S,AF_UNIX,SOCK_STREAM,0) && connect(S,pack("S a*",AF_UNIX,"\\0${mark}")) && print scalar <S>'`;
    },
    isUnharmed: silent,
  },
  {
    name: 'speak to the hypervisor, or to the cryptography of the kernel',
    attack: () =>
      `perl -MSocket -e 'for my $family (40, 38, 17) { print "REACHED\\n" if socket(S, $family, $family == 40 ? 1 : 5, 0) }'`,
    isUnharmed: silent,
  },
  {
    name: 'leave a program that runs as its owner',
    attack: () =>
      'cp /bin/true suid; chmod u+s suid; chmod 4755 suid; perl -e \'use Fcntl; sysopen(F, "suid2", O_CREAT|O_WRONLY, 04755)\'',
    isUnharmed: ({ root }) => {
      for (const name of ['suid', 'suid2'])
        expect((statSync(path.join(root, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o4000).toBe(0);
    },
  },
  {
    name: 'gain rights by a program that has them',
    attack: () =>
      'grep -E "^(CapEff|CapBnd|NoNewPrivs)" /proc/self/status | tr "\\n\\t" ";="; su -c "echo REACHED" nobody </dev/null',
    isUnharmed: (world, output) => {
      silent(world, output);
      expect(output).toMatch(/CapEff:=0+;CapBnd:=0+;NoNewPrivs:=1;/);
    },
  },
  {
    name: 'make a device',
    attack: () => 'mknod disk b 254 0; mknod mem c 1 1; ls -l /dev | grep -E "sd|vd|nvme|mem$|kmsg" && echo REACHED',
    isUnharmed: ({ root, ...world }, output) => {
      silent({ root, ...world }, output);
      expect(readdirSync(root)).not.toContain('disk');
    },
  },
  {
    name: 'mount something, or take a mask away',
    attack: () =>
      'mkdir m; mount -t tmpfs none m && echo REACHED; umount .git/config && echo REACHED; mount -o remount,rw / && echo REACHED',
    isUnharmed: silent,
  },
  {
    name: 'become root in a namespace of its own',
    attack: () =>
      'unshare -Ur true && echo REACHED; unshare -m true && echo REACHED; nsenter -t 1 -m true && echo REACHED',
    isUnharmed: silent,
  },
  {
    name: 'see memory that others share',
    attack: () => {
      writeFileSync(`/dev/shm/${mark}`, SECRET);
      onTestFinished(() => rmSync(`/dev/shm/${mark}`));
      return `cat /dev/shm/*; ls /dev/shm`;
    },
    isUnharmed: (world, output) => {
      silent(world, output);
      expect(output).not.toContain(mark);
    },
  },
  {
    name: 'use the keyring',
    attack: () => {
      const [addKey, keyctl] = process.arch === 'x64' ? [248, 250] : [217, 219];
      return `perl -e 'my ($t, $d, $p) = ("user", "${mark}", "x"); print "REACHED\\n" if syscall(${addKey}, $t, $d, $p, 1, -5) >= 0; print "REACHED\\n" if syscall(${keyctl}, 0, -5, 0) >= 0'`;
    },
    isUnharmed: (world, output) => {
      silent(world, output);
      expect(readFileSync('/proc/keys', 'utf8')).not.toContain(mark);
    },
  },
  {
    name: 'write to control groups',
    attack: () =>
      'for g in $(find /sys/fs/cgroup -maxdepth 1 -type d); do mkdir $g/REACHED && echo REACHED; echo /evil > $g/release_agent && echo REACHED; done 2>/dev/null',
    isUnharmed: silent,
  },
  {
    name: 'type into the terminal of whoever started it',
    attack: () => 'exec 3<>/dev/tty && echo REACHED; tty -s && echo REACHED',
    isUnharmed: silent,
  },
  {
    name: 'fill the disk with one file (1 GB)',
    attack: () => 'truncate -s 1G big; dd if=/dev/zero of=big bs=1M seek=1000 count=1',
    isUnharmed: ({ root }) =>
      expect(lstatSync(path.join(root, 'big'), { throwIfNoEntry: false })?.size ?? 0).toBeLessThan(1_000_000_000),
  },
  {
    name: 'read secrets of the home folder',
    attack: () =>
      'cat ~/.ssh/* ~/.aws/* ~/.netrc ~/.npmrc ~/.config/gh/* ~/.kube/* ~/.claude/.credentials.json ~/.attractor/* ~/.mozilla/firefox/*/* ~/.bash_history ~/.some_tool_token; grep -r CANARY ~ ; cat ~/.claude/skills/s/SKILL.md',
    isUnharmed: (world, output) => {
      silent(world, output);
      expect(output).toContain('a skill');
    },
  },
  {
    name: 'read a provider key from the environment',
    attack: () => 'env; cat /proc/$$/environ /proc/1/environ',
    isUnharmed: silent,
  },
];

const outsiders: ReturnType<typeof spawn>[] = [];

/** A process of ours outside, with a secret in its environment. */
async function outsider(): Promise<number> {
  const child = spawn('sleep', ['60'], { env: { PATH: '/usr/bin:/bin', TOKEN: SECRET }, stdio: 'ignore' });
  outsiders.push(child);
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('spawn', resolve));
  return child.pid ?? 0;
}

function living(): boolean {
  const last = outsiders.at(-1);
  return last !== undefined && last.exitCode === null && last.signalCode === null;
}

describe('inside the sandbox it is in vain to', () => {
  test.for(PROBES)('$name', async ({ attack, isUnharmed }, context) => {
    const world = await sandboxWorld(context);
    const { stdout, stderr } = await world.run(await attack(world));
    await isUnharmed(world, stdout);
    expect(stderr).not.toContain('bwrap:');
  });

  test('start processes without end', async (context) => {
    const { groups, prefix } = createProcessBound(10);
    await groups?.close();
    if (groups === null && prefix.length === 0)
      context.skip('no bound can be set here: root, and no pids control group');
    const world = await sandboxWorld(context);
    const { stdout } = await world.run(
      `perl -e 'for (1..5000) { my $p = fork(); last unless defined $p; if (!$p) { sleep 20; exit } $n++ } print "started $n\\n"; kill 9, -getpgrp'`,
    );
    const started = Number(/started (\d+)/.exec(stdout)?.[1] ?? Number.NaN);
    expect(started).toBeGreaterThan(20);
    expect(started).toBeLessThan(Math.max(500, os.availableParallelism() * 64));
  });
});

test('the same attacks do harm where there is no sandbox: the probes would notice', async (context) => {
  const world = await sandboxWorld(context);
  const { createLocalExecutionEnvironment } = await import('../execution/local.ts');
  const bare = createLocalExecutionEnvironment(world.root, 'inherit_core', {
    env: { PATH: '/usr/bin:/bin', HOME: world.home },
  });
  const { stdout } = await bare.execCommand(
    'echo evil >> ~/.bashrc; echo evil > ../beside/b.txt; git config core.fsmonitor ./evil; echo evil > .git/hooks/x; mkdir -p .agent; cat ~/.ssh/id_ed25519',
  );
  expect(stdout).toContain(SECRET);
  expect(() => unchanged('home/.bashrc', 'true\n')(world)).toThrow('evil');
  expect(() => unchanged('beside/b.txt', 'beside\n')(world)).toThrow('evil');
  expect(git(world.root, 'config', 'core.fsmonitor')).toContain('evil');
  expect(existsSync(path.join(world.root, '.git/hooks/x'))).toBe(true);
  expect(existsSync(path.join(world.root, '.agent'))).toBe(true);
});
