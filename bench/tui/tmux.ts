import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const TMUX = '/usr/bin/tmux';

export const HAS_TMUX = existsSync(TMUX);

/** A program in tmux, after a shell has said something there. */
export type Window = {
  /** Everything that was shown, scrollback included. */
  readonly screen: () => string;
  readonly shows: (text: string) => Promise<void>;
  readonly type: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly end: () => void;
};

export type WindowOptions = {
  readonly argv: ReadonlyArray<string>;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly before: ReadonlyArray<string>;
};

export function openWindow({ argv, folder, env, before }: WindowOptions): Window {
  const tmux = (...given: ReadonlyArray<string>): string =>
    execFileSync(TMUX, ['-S', join(folder, 'socket'), '-f', join(folder, 'tmux.conf'), ...given], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' },
    });
  const quoted = (word: string): string => `'${word}'`;
  const variables = Object.entries({ ...env, TERM: 'screen' }).map(([name, value]) => quoted(`${name}=${value}`));
  const script = [
    ...before.map((line) => `echo ${quoted(line)}`),
    `cd ${quoted(folder)}`,
    `exec env -i ${variables.join(' ')} ${argv.map(quoted).join(' ')}`,
  ];
  writeFileSync(join(folder, 'tmux.conf'), 'set -g history-limit 20000\nset -g status off\n');
  writeFileSync(join(folder, 'run.sh'), `${script.join('\n')}\n`);
  tmux('new-session', '-d', '-x', '120', '-y', '40', '-s', 'one', `/bin/sh '${join(folder, 'run.sh')}'`);
  const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'one');
  return {
    screen,
    shows: async (text) => {
      for (let tries = 0; !screen().includes(text); tries += 1) {
        if (tries > 1_200) throw new Error(`tmux never showed ${text}:\n${screen()}`);
        await delay(50);
      }
    },
    type: (text) => void tmux('send-keys', '-t', 'one', '-l', text, ';', 'send-keys', '-t', 'one', 'Enter'),
    resize: (columns, rows) => void tmux('resize-window', '-t', 'one', '-x', String(columns), '-y', String(rows)),
    end: () => void tmux('kill-server'),
  };
}
