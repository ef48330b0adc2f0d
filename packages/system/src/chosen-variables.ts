import { childVariables, type Variables } from './environment-variables.ts';
import { steeringOf } from './steering-variables.ts';

/** What settings say about the variables of commands. Names in lists may hold `*` and `?`; upper and lower case are the same. */
export type VariableChoice = {
  /** Absent: all that are harmless. */
  readonly inherit?: 'all' | 'core' | 'none';
  readonly exclude?: ReadonlyArray<string>;
  /** Absent or empty: no restriction. */
  readonly includeOnly?: ReadonlyArray<string>;
  /** These come through although they look like secrets, or are obeyed by programs. */
  readonly pass?: ReadonlyArray<string>;
  readonly set?: Readonly<Record<string, string>>;
};

export type ChosenFrom = {
  /** The variables of whoever started us. */
  readonly host: Variables;
  /** In place of what is harmless of the host; what is not the host's was set by the caller and stays. */
  readonly inherited?: Readonly<Record<string, string>>;
  /** The folders of the workspace, as they really are. */
  readonly folders: ReadonlyArray<string>;
};

/** All variables that commands of a session see. Whoever judges commands has to know exactly these. */
export function chosenVariables(choice: VariableChoice, from: ChosenFrom): Record<string, string> {
  const { host, folders } = from;
  const { inherit = 'all', exclude = [], includeOnly = [], pass = [], set = {} } = choice;
  const allowed = INHERITED[inherit](host);
  const inherited = from.inherited ?? allowed;
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    const isOwn = host[name] !== value;
    const isWanted =
      isOwn ||
      (allowed[name] !== undefined && !fits(exclude, name) && (includeOnly.length === 0 || fits(includeOnly, name)));
    if (ALWAYS.has(name) || (isWanted && !leadsIn(name, value, folders))) chosen[name] = value;
  }
  for (const [name, value] of Object.entries(host)) if (value !== undefined && fits(pass, name)) chosen[name] = value;
  return { ...chosen, ...set };
}

const INHERITED: Readonly<Record<NonNullable<VariableChoice['inherit']>, (host: Variables) => Record<string, string>>> =
  {
    all: (host) => childVariables('inherit_harmless', host),
    core: (host) => childVariables('inherit_core', host),
    none: ({ PATH, HOME, SHELL }) => childVariables('inherit_core', { PATH, HOME, SHELL }),
  };

/** A command without these is lost, or finds its programs elsewhere than anybody thinks. */
const ALWAYS: ReadonlySet<string> = new Set(['PATH', 'HOME', 'SHELL']);

/** Every program would obey what lies in the workspace. */
function leadsIn(name: string, value: string, folders: ReadonlyArray<string>): boolean {
  return steeringOf(name, value, folders)?.programs === null;
}

function fits(patterns: ReadonlyArray<string>, name: string): boolean {
  return patterns.some((pattern) => {
    const written = RegExp.escape(pattern).replaceAll('\\*', '.*').replaceAll('\\?', '.');
    return new RegExp(`^${written}$`, 'is').test(name);
  });
}
