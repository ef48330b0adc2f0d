import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { defined } from '@attractor/base';
import type { Channel, OutgoingNotification, SendResult } from '../channel.ts';
import type { Notification } from '@attractor/store';
import type { ChannelKind } from '../channel-kind.ts';

export const DESKTOP: ChannelKind<{ readonly type: 'desktop'; readonly program?: string }> = {
  name: 'desktop',
  flags: [],
  fields: [],
  read: ({ program }) => {
    if (program === undefined) return { type: 'desktop' };
    if (typeof program !== 'string' || !program.startsWith('/')) return '"program" must be the full path of a program.';
    return { type: 'desktop', program };
  },
  create: ({ program }, { env }) => createDesktopChannel({ env, ...defined({ program }) }),
  target: ({ program }) => program ?? 'this machine',
  secrets: () => [],
  kept: [],
};

type Program = {
  readonly path: string;
  readonly args: (title: string, body: string, severity: Notification['severity']) => ReadonlyArray<string>;
  /** For a program that would parse the text as a script if it were an argument. */
  readonly textInVariables?: true;
};

const POWERSHELL = [
  'Add-Type -AssemblyName System.Windows.Forms',
  '$n = New-Object System.Windows.Forms.NotifyIcon',
  '$n.Icon = [System.Drawing.SystemIcons]::Information',
  '$n.Visible = $true',
  '$n.ShowBalloonTip(10000, $env:ATTRACTOR_TITLE, $env:ATTRACTOR_BODY, 0)',
  'Start-Sleep -Seconds 3',
  '$n.Dispose()',
].join('; ');

/** Found by their full path only: a program of the same name elsewhere is never run. The text is never part of a script. */
const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, Program>>> = {
  linux: {
    path: '/usr/bin/notify-send',
    args: (title, body, severity) => [
      '--app-name=Attractor',
      `--urgency=${severity === 'error' ? 'critical' : 'normal'}`,
      '--',
      title,
      body.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    ],
  },
  darwin: {
    path: '/usr/bin/osascript',
    args: (title, body) => [
      '-e',
      'on run argv',
      '-e',
      'display notification (item 2 of argv) with title (item 1 of argv)',
      '-e',
      'end run',
      title,
      body,
    ],
  },
  win32: {
    path: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
    args: () => ['-NoProfile', '-NonInteractive', '-Command', POWERSHELL],
    textInVariables: true,
  },
};

export type DesktopOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Another program with the arguments of notify-send. */
  readonly program?: string;
};

const MAX_BODY = 1_000;
/** What such a program needs to find the person's screen. */
const VARIABLES = [
  'PATH',
  'HOME',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'SystemRoot',
];

/** This machine's own notifications; one way. */
export function createDesktopChannel({ env, program }: DesktopOptions): Channel {
  const known = program === undefined ? PROGRAMS[process.platform] : PROGRAMS.linux;
  const path = program ?? known?.path ?? null;
  const isAvailable = async (): Promise<boolean> =>
    path !== null &&
    (await access(path, constants.X_OK).then(
      () => true,
      () => false,
    ));
  return {
    type: 'desktop',
    displayName: 'Desktop',
    canReply: false,
    isAvailable,
    send: async ({ notification }, signal) => {
      if (path === null || known === undefined || !(await isAvailable()))
        return { ok: false, message: `This machine has no ${path ?? 'program for notifications'}`, retryable: false };
      return show({ path, known, env }, notification, signal);
    },
  };
}

type Shown = { readonly path: string; readonly known: Program; readonly env: DesktopOptions['env'] };

function show(
  { path, known, env }: Shown,
  told: OutgoingNotification['notification'],
  signal: AbortSignal,
): Promise<SendResult> {
  const body = told.body.slice(0, MAX_BODY);
  const texts = known.textInVariables ? { ATTRACTOR_TITLE: told.title, ATTRACTOR_BODY: body } : {};
  const { promise, resolve } = Promise.withResolvers<SendResult>();
  execFile(
    path,
    known.args(told.title, body, told.severity),
    {
      env: { ...Object.fromEntries(VARIABLES.map((name) => [name, env[name]])), ...texts },
      signal,
      killSignal: 'SIGKILL',
    },
    (error) => resolve(error === null ? { ok: true } : { ok: false, message: failure(error, signal), retryable: true }),
  );
  return promise;
}

function failure(error: Error, signal: AbortSignal): string {
  return signal.aborted ? 'The program did not end in time' : `The program failed (${error.message.split('\n')[0]})`;
}
