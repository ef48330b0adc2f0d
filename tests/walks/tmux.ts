import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeLater } from '../leftovers.ts';
import { COMMAND, makeFolder, until } from './attractor.ts';

/** Draws what a person would see, keys and all. */
const TMUX = '/usr/bin/tmux';

export const HAS_TMUX = existsSync(TMUX);

export type Terminal = {
  /** Everything that was shown, without what was rewritten. */
  readonly screen: () => string;
  readonly type: (text: string) => void;
  /** As a terminal pastes: between the marks that a program asked for. */
  readonly paste: (text: string) => void;
  /** Types it and Enter, all at once. */
  readonly say: (text: string) => void;
  /** Names as tmux has them: Enter, C-c. */
  readonly press: (...keys: ReadonlyArray<string>) => void;
  /** Waits until a text is shown; each time for one more of it. */
  readonly sees: (text: string) => Promise<void>;
  readonly resize: (columns: number, rows: number) => void;
  /** A person attaches from a terminal of this size; detaches with the returned function. */
  readonly attach: (columns: number, rows: number) => Promise<() => void>;
  /** Ends the command as a power cut would, or by another signal. */
  readonly kill: (signal?: NodeJS.Signals) => void;
  /** Every byte that was written to the terminal. */
  readonly written: () => string;
  /** How the terminal handles keys, as `stty -a` says it. */
  readonly settings: () => string;
  /** The exit code, once the command has ended. */
  readonly ended: () => Promise<number>;
};

export type TerminalOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Another program than the built command. */
  readonly program?: string;
};

/** The command in a terminal of its own, 150 columns wide. */
export function openTerminal(args: ReadonlyArray<string>, { cwd, env, program = COMMAND }: TerminalOptions): Terminal {
  const words = [process.execPath, program, ...args].map(quoted);
  return openPane(
    `trap : INT\ncd '${cwd}'\nenv -i TERM=screen LANG=C.UTF-8 ${variablesOf(env)} ${words.join(' ')}\necho "ended with $?"\nexec sleep 3600\n`,
  );
}

/** A shell that a person types commands into; `attractor` is ours. */
export function openShell({ cwd, env }: TerminalOptions): Terminal {
  const rules = path.join(makeFolder(), 'bashrc');
  const lines = [`attractor() { ${quoted(process.execPath)} ${quoted(COMMAND)} "$@"; }`, 'PS1="ready> "'];
  writeFileSync(rules, `${lines.join('\n')}\n`);
  const shell = `/bin/bash --noprofile --rcfile ${quoted(rules)} -i`;
  return openPane(`cd ${quoted(cwd)}\nexec env -i TERM=screen LANG=C.UTF-8 ${variablesOf(env)} ${shell}\n`);
}

function variablesOf(env: TerminalOptions['env']): string {
  return Object.entries({ PATH: '/usr/bin:/bin', ...env })
    .map(([name, value]) => quoted(`${name}=${value}`))
    .join(' ');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function openPane(script: string): Terminal {
  const folder = makeFolder();
  const tmux = (...given: ReadonlyArray<string>): string =>
    execFileSync(TMUX, ['-S', path.join(folder, 'socket'), '-f', path.join(folder, 'tmux.conf'), ...given], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' },
    });
  writeFileSync(path.join(folder, 'tmux.conf'), 'set -g history-limit 20000\nset -g status off\n');
  const followed = path.join(folder, 'followed');
  // The program begins once all that it writes is kept.
  writeFileSync(path.join(folder, 'run.sh'), `until [ -e '${followed}' ]; do sleep 0.01; done\n${script}`);
  tmux('new-session', '-d', '-x', '150', '-y', '50', '-s', 'one', `/bin/sh '${path.join(folder, 'run.sh')}'`);
  removeLater(() => void tmux('kill-server'));
  const output = path.join(folder, 'output');
  writeFileSync(output, '');
  tmux('pipe-pane', '-t', 'one', `cat >> '${output}'`);
  writeFileSync(followed, '');
  const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'one');
  const waited = new Map<string, number>();
  const sees = async (text: string): Promise<void> => {
    const times = (waited.get(text) ?? 0) + 1;
    waited.set(text, times);
    let written = -1;
    // Each look at the screen starts a program: it is looked at once for all that was written.
    const isThere = () => {
      const before = written;
      written = statSync(output).size;
      return written !== before && screen().split(text).length > times ? true : undefined;
    };
    await until(isThere, `"${text}" in the terminal`).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${screen()}`);
    });
  };
  return {
    screen,
    type: (text) => void tmux('send-keys', '-t', 'one', '-l', text),
    paste: (text) => {
      const pasted = path.join(folder, 'pasted');
      writeFileSync(pasted, text);
      tmux('load-buffer', pasted, ';', 'paste-buffer', '-p', '-t', 'one');
    },
    say: (text) => void tmux('send-keys', '-t', 'one', '-l', text, ';', 'send-keys', '-t', 'one', 'Enter'),
    press: (...keys) => void tmux('send-keys', '-t', 'one', ...keys),
    sees,
    resize: (columns, rows) => void tmux('resize-window', '-t', 'one', '-x', String(columns), '-y', String(rows)),
    written: () => readFileSync(output, 'utf8'),
    settings: () => {
      const tty = tmux('list-panes', '-t', 'one', '-F', '#{pane_tty}').trim();
      return execFileSync('/bin/stty', ['-F', tty, '-a'], { encoding: 'utf8' });
    },
    attach: async (columns, rows) => {
      const own = ['-S', path.join(folder, 'socket'), 'attach', '-t', 'one'].map(quoted).join(' ');
      const command = `stty cols ${columns} rows ${rows}; exec ${TMUX} ${own}`;
      const environment = { PATH: '/usr/bin:/bin', HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' };
      const client = spawn('/usr/bin/script', ['-qfc', command, '/dev/null'], {
        env: environment,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      removeLater(() => void client.kill('SIGKILL'));
      const size = `${columns}x${rows}`;
      const now = (): string => tmux('list-panes', '-t', 'one', '-F', '#{pane_width}x#{pane_height}').trim();
      await until(() => (now() === size ? true : undefined), `a window of ${size}`);
      return () => void tmux('detach-client', '-s', 'one');
    },
    kill: (signal = 'SIGKILL') => {
      const shell = tmux('list-panes', '-t', 'one', '-F', '#{pane_pid}').trim();
      const child = execFileSync('/bin/ps', ['--ppid', shell, '-o', 'pid='], { encoding: 'utf8' }).trim();
      process.kill(Number(child), signal);
    },
    ended: async () => {
      await sees('ended with ');
      return Number(/ended with (\d+)/.exec(screen())?.[1]);
    },
  };
}
