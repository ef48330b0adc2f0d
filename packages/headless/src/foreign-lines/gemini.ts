import { InputProblem } from '../input/input-problem.ts';
import { as, by, each, type FlagRow, needless, refused, told } from './flag-row.ts';

/** The flags of `gemini`, as of version 0.61. */
export const GEMINI_FLAGS: ReadonlyArray<FlagRow> = [
  { flag: '-m, --model <model>', here: by('`--model`', model) },
  { flag: '-p, --prompt <prompt>', here: by('`-p`', (prompt) => [`--prompt=${prompt}`]) },
  { flag: '-o, --output-format <format>', here: by('`--output-format`, its own shapes', format) },
  { flag: '-y, --yolo', here: by('`--permission-mode bypassPermissions`', () => approval('yolo')) },
  { flag: '--approval-mode <mode>', here: by('`--permission-mode`', approval) },
  { flag: '--include-directories <dirs>', here: by('`--add-dir`', each('--add-dir')) },
  { flag: '--allowed-tools <tools>', here: by('`--allowed-tools`', (tools) => [`--allowed-tools=${tools}`]) },
  { flag: '--allowed-mcp-server-names <names>', here: as('--allowed-mcp-server-names') },
  { flag: '-r, --resume <session>', here: by('`--continue` for `latest`, `--resume`', resume) },
  { flag: '--session-id <id>', here: as('--session-id') },
  { flag: '-s, --sandbox', here: needless('commands run in a sandbox, or the run does not start') },
  { flag: '-d, --debug', here: needless('notices go to stderr anyway') },
  { flag: '--screen-reader', here: needless('lines are plain') },
  { flag: '--raw-output', here: needless('stdout carries the answer as it is') },
  { flag: '--accept-raw-output-risk', here: needless('stdout carries the answer as it is') },
  { flag: '-c, --checkpointing', here: needless('files can always be taken back: `attractor sessions rewind`') },
  {
    flag: '--skip-trust',
    here: told("a repository's own configuration counts once you trust it: `attractor trust grant`"),
  },
  { flag: '-e, --extensions <names>', here: by('`none`; others are refused', extensions) },
  { flag: '--session-file <file>', here: refused('import it: `attractor sessions import --from gemini`') },
  { flag: '-i, --prompt-interactive <prompt>', here: refused('a conversation needs a terminal: start `attractor`') },
  { flag: '-w, --worktree <name>', here: refused('work in a worktree of its own is a task: `attractor run`') },
  { flag: '--policy <files>', here: refused('policies are read from ~/.gemini/policies and .gemini/policies') },
  { flag: '--admin-policy <files>', here: refused('managed settings are read from their folder') },
  { flag: '--acp, --experimental-acp', here: refused('start `attractor acp`') },
  { flag: '-l, --list-extensions', here: refused('there are no extensions here; see --plugin-dir') },
  { flag: '--list-sessions', here: refused('see `attractor sessions list`') },
  { flag: '--delete-session <index>', here: refused('see `attractor sessions delete`') },
];

/** Its exit codes of runs, by ours: input 42, authentication 41, configuration 52; the rest are alike. */
export const GEMINI_EXITS: Readonly<Record<number, number>> = { 2: 42, 3: 42, 4: 52, 6: 41 };

const APPROVALS: Readonly<Record<string, string>> = {
  default: 'default',
  auto_edit: 'acceptEdits',
  yolo: 'bypassPermissions',
  plan: 'plan',
};

function approval(mode: string): ReadonlyArray<string> {
  const ours = Object.hasOwn(APPROVALS, mode) ? APPROVALS[mode] : undefined;
  if (ours === undefined)
    throw new InputProblem(`--approval-mode takes ${Object.keys(APPROVALS).join(', ')}, not '${mode}'.`);
  return ['--permission-mode', ours];
}

const FORMATS = ['text', 'json', 'stream-json'];

function format(name: string): ReadonlyArray<string> {
  if (!FORMATS.includes(name)) throw new InputProblem(`--output-format takes ${FORMATS.join(', ')}, not '${name}'.`);
  return ['--output-format', name, '--lines-of', 'gemini'];
}

/** `auto` is what is configured. */
function model(name: string): ReadonlyArray<string> {
  return name === 'auto' ? [] : ['--model', Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? name) : name];
}

const ALIASES: Readonly<Record<string, string>> = {
  pro: 'gemini-2.5-pro',
  flash: 'gemini-2.5-flash',
  'flash-lite': 'gemini-2.5-flash-lite',
};

function resume(session: string): ReadonlyArray<string> {
  if (session === 'latest') return ['--continue'];
  if (/^\d+$/.test(session))
    throw new InputProblem(
      `--resume ${session}: sessions have no numbers here; give the id that \`attractor sessions list\` shows.`,
    );
  return ['--resume', session];
}

function extensions(names: string): ReadonlyArray<string> {
  if (names === '' || names === 'none') return [];
  throw new InputProblem(`--extensions ${names}: there are no extensions here; see --plugin-dir.`);
}
