/** How a terminal is asked for what we need, and brought back to how it was. */
export type Modes = {
  readonly enter: string;
  readonly leave: string;
  /** What brings it back after this process was killed. Pastes are left out: the shell's next prompt sees to them, and may be there already. */
  readonly ifKilled: string;
};

const BRACKETED_PASTE = { on: '\u001b[?2004h', off: '\u001b[?2004l' };
/** Kitty's keyboard protocol, its first flag: keys that used to be ambiguous are told apart. Pushed, so that it can be popped. */
const KITTY = { on: '\u001b[>1u', off: '\u001b[<u' };
/** xterm's own way to the same; tmux hands Shift-Enter on only to who asks this way. */
const OTHER_KEYS = { on: '\u001b[>4;1m', off: '\u001b[>4;0m' };
const ASK_BACKGROUND = '\u001b]11;?\u001b\\';
/** Colours off, an open frame closed, the cursor to be seen. */
const AT_REST = '\u001b[0m\u001b[?2026l\u001b[?25h';

/** Asked for after raw mode is on: the answers would be typed into the shell otherwise. */
export function modesFor(env: Readonly<Record<string, string | undefined>>): Modes {
  const isTmux = (env['TMUX'] ?? '') !== '' || (env['TERM'] ?? '').startsWith('screen');
  const isOld = env['TERM'] === 'linux' || env['TERM'] === 'dumb';
  if (isOld) return { enter: BRACKETED_PASTE.on, leave: `${BRACKETED_PASTE.off}${AT_REST}`, ifKilled: AT_REST };
  const other = isTmux ? OTHER_KEYS : { on: '', off: '' };
  return {
    enter: `${BRACKETED_PASTE.on}${KITTY.on}${other.on}${ASK_BACKGROUND}`,
    leave: `${other.off}${KITTY.off}${BRACKETED_PASTE.off}${AT_REST}`,
    ifKilled: `${other.off}${KITTY.off}${AT_REST}`,
  };
}
