import type { Role } from './line.ts';

/** Select Graphic Rendition parameters by role; an empty string leaves the text as it is. */
export type Theme = {
  readonly name: string;
  readonly roles: Readonly<Record<Role, string>>;
  readonly isPlain: boolean;
};

export type ThemeName = 'dark' | 'light' | 'ansi' | 'mono';

export const THEME_NAMES: ReadonlyArray<ThemeName> = ['dark', 'light', 'ansi', 'mono'];

/** The sixteen colours that every terminal lets its owner choose. */
const ANSI: Readonly<Record<Role, string>> = {
  plain: '',
  dim: '2',
  accent: '36',
  good: '32',
  bad: '31',
  warn: '33',
  user: '1',
  code: '36',
  keyword: '35',
  string: '32',
  number: '33',
  comment: '2',
  added: '32',
  removed: '31',
  addedWord: '32;7',
  removedWord: '31;7',
  chosen: '7',
};

const DARK: Readonly<Record<Role, string>> = {
  ...ANSI,
  dim: '38;5;245',
  accent: '38;5;80',
  good: '38;5;114',
  bad: '38;5;203',
  warn: '38;5;179',
  user: '1;38;5;117',
  code: '38;5;152',
  keyword: '38;5;176',
  string: '38;5;150',
  number: '38;5;180',
  comment: '38;5;243',
  added: '38;5;114',
  removed: '38;5;210',
  addedWord: '38;5;194;48;5;22',
  removedWord: '38;5;224;48;5;52',
};

const LIGHT: Readonly<Record<Role, string>> = {
  ...ANSI,
  dim: '38;5;242',
  accent: '38;5;30',
  good: '38;5;28',
  bad: '38;5;160',
  warn: '38;5;130',
  user: '1;38;5;25',
  code: '38;5;24',
  keyword: '38;5;90',
  string: '38;5;64',
  number: '38;5;94',
  comment: '38;5;245',
  added: '38;5;28',
  removed: '38;5;124',
  addedWord: '38;5;22;48;5;157',
  removedWord: '38;5;88;48;5;224',
};

const MONO = Object.fromEntries(Object.keys(ANSI).map((role) => [role, ''])) as Record<Role, string>;

const THEMES: Readonly<Record<ThemeName, Theme>> = {
  dark: { name: 'dark', roles: DARK, isPlain: false },
  light: { name: 'light', roles: LIGHT, isPlain: false },
  ansi: { name: 'ansi', roles: ANSI, isPlain: false },
  mono: { name: 'mono', roles: MONO, isPlain: true },
};

export function themeNamed(name: ThemeName): Theme {
  return THEMES[name];
}

export function isThemeName(text: string): text is ThemeName {
  return THEME_NAMES.some((name) => name === text);
}

export type Surroundings = Readonly<Record<string, string | undefined>>;

/**
 * What suits a terminal before it was asked anything: no colours where the person wants none, sixteen where no more are promised. `COLORFGBG`
 * is how some terminals say that they are light.
 */
export function themeFor(env: Surroundings): ThemeName {
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return 'mono';
  const hasMany = /256|truecolor|24bit|direct|kitty|ghostty|alacritty|wezterm/.test(
    `${env['TERM'] ?? ''} ${env['COLORTERM'] ?? ''}`,
  );
  if (!hasMany) return 'ansi';
  const background = Number(env['COLORFGBG']?.split(';').at(-1) ?? '0');
  return background === 7 || background === 15 ? 'light' : 'dark';
}

/** The theme once the terminal has said what its background is: `rgb:ffff/ffff/ffff`. A theme without colours stays. */
export function themeOnBackground(theme: ThemeName, reply: string): ThemeName {
  const parts = /rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(reply);
  if (parts === null || (theme !== 'dark' && theme !== 'light')) return theme;
  const [red = 0, green = 0, blue = 0] = parts.slice(1).map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
