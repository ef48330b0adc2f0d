import {
  CLAUDE_FLAGS,
  CODEX_FLAGS,
  CODEX_OVERRIDES,
  CODEX_TABLES,
  CODEX_RESUME_FLAGS,
  CODEX_SANDBOXES,
  type FlagRow,
  GEMINI_FLAGS,
} from '@attractor/headless';
import { CLAUDE_LINES, CODEX_LINES, GEMINI_LINES, type ScriptLine } from '../walks/test-support/script-lines.ts';
import { tableOf } from './agent-sdk-page.ts';

export const SCRIPTS_PAGE = 'docs/scripts-of-others.md';

type Drawn = {
  readonly flags: ReadonlyArray<FlagRow>;
  readonly lines: ReadonlyArray<ScriptLine>;
  readonly more: string;
};

const CODEX_MORE = `${tableOf([['`--sandbox`', 'here'], ...CODEX_SANDBOXES.map(([mode, means]) => [`\`${mode}\``, means])])}

Keys of \`-c\`: ${CODEX_OVERRIDES.map((key) => `\`${key}\``).join(', ')}; of its tables ${CODEX_TABLES.map((key) => `\`${key}\``).join(', ')}. Keys that only say how work is shown have no effect, which is said; any
other is refused by its name.\n\n`;

const DRAWN: Readonly<Record<string, Drawn>> = {
  claude: { flags: CLAUDE_FLAGS, lines: CLAUDE_LINES, more: '' },
  codex: { flags: [...CODEX_FLAGS, ...CODEX_RESUME_FLAGS], lines: CODEX_LINES, more: CODEX_MORE },
  gemini: { flags: GEMINI_FLAGS, lines: GEMINI_LINES, more: '' },
};

/** The page with the tables of flags, and the lines that the walk runs. */
export function withScriptLines(page: string): string {
  return Object.entries(DRAWN).reduce((text, [agent, { flags, lines, more }]) => {
    const place = new RegExp(`(?<=^<!-- drawn: ${agent} -->\\n\\n)[^]*?(?=^<!-- end -->)`, 'm');
    const flagTable = tableOf([['flag', 'here'], ...flags.map(({ flag, here }) => [code(flag), meaning(here)])]);
    const lineTable = tableOf([['line', 'shows'], ...lines.map(({ line, shows }) => [code(line), shows])]);
    return text.replace(place, () => `${flagTable}\n\n${more}${lineTable}\n\n`);
  }, page);
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

const KINDS = { needless: 'not needed', told: 'no effect', refused: 'refused' } as const;

function meaning(here: FlagRow['here']): string {
  return here.kind === 'as' ? here.ours : `${KINDS[here.kind]}: ${here.why}`;
}
