import { execFileSync } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
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
  /** Names as tmux has them: Enter, C-c. */
  readonly press: (...keys: ReadonlyArray<string>) => void;
  /** Waits until a text is shown; each time for one more of it. */
  readonly sees: (text: string) => Promise<void>;
  readonly resize: (columns: number, rows: number) => void;
  /** Ends the command as a power cut would. */
  readonly kill: () => void;
  /** The exit code, once the command has ended. */
  readonly ended: () => Promise<number>;
};

export type TerminalOptions = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };

/** The command in a terminal of its own, 150 columns wide. */
export function openTerminal(args: ReadonlyArray<string>, { cwd, env }: TerminalOptions): Terminal {
  const folder = makeFolder();
  const tmux = (...given: ReadonlyArray<string>): string =>
    execFileSync(TMUX, ['-S', path.join(folder, 'socket'), '-f', path.join(folder, 'tmux.conf'), ...given], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' },
    });
  const words = [process.execPath, COMMAND, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  const variables = Object.entries({ PATH: '/usr/bin:/bin', ...env }).map(([name, value]) => `'${name}=${value}'`);
  writeFileSync(path.join(folder, 'tmux.conf'), 'set -g history-limit 20000\nset -g status off\n');
  writeFileSync(
    path.join(folder, 'run.sh'),
    `trap : INT\ncd '${cwd}'\nenv -i TERM=screen LANG=C.UTF-8 ${variables.join(' ')} ${words.join(' ')}\necho "ended with $?"\nexec sleep 3600\n`,
  );
  tmux('new-session', '-d', '-x', '150', '-y', '50', '-s', 'one', `/bin/sh '${path.join(folder, 'run.sh')}'`);
  removeLater(() => void tmux('kill-server'));
  const output = path.join(folder, 'output');
  writeFileSync(output, '');
  tmux('pipe-pane', '-t', 'one', `cat >> '${output}'`);
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
    press: (...keys) => void tmux('send-keys', '-t', 'one', ...keys),
    sees,
    resize: (columns, rows) => void tmux('resize-window', '-t', 'one', '-x', String(columns), '-y', String(rows)),
    kill: () => {
      const shell = tmux('list-panes', '-t', 'one', '-F', '#{pane_pid}').trim();
      const child = execFileSync('/bin/ps', ['--ppid', shell, '-o', 'pid='], { encoding: 'utf8' }).trim();
      process.kill(Number(child), 'SIGKILL');
    },
    ended: async () => {
      await sees('ended with ');
      return Number(/ended with (\d+)/.exec(screen())?.[1]);
    },
  };
}
