/** `mod+k` as this machine's keyboard has it, key by key. */
export function showKeys(keys: string): ReadonlyArray<string> {
  return keys.split(' ').flatMap((one) => one.split('+').map((key) => nameOf(key)));
}

const NAMES: Readonly<Record<string, string>> = { Enter: '↵', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓', shift: '⇧' };

function nameOf(key: string): string {
  if (key === 'mod') return /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
  return NAMES[key] ?? key.toUpperCase();
}
