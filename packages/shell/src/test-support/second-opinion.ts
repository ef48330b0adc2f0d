import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { objectToCall } from './second-opinion-calls.ts';
import { HARMLESS_VARIABLES } from './second-opinion-manuals.ts';
import { isOutside, isSecret, unquote, type Place } from './second-opinion-words.ts';

/**
 * A second reader of shell commands that shares no code with the first: another parser, and rules that only forbid. It checks what was
 * allowed and returns its objection. It may be stricter or laxer in what it knows, but a command that it objects to must never have been
 * allowed.
 */
export function createSecondOpinion(pathContext: Ground): (command: string) => string | null {
  const require = createRequire(import.meta.url);
  const { syntax }: { readonly syntax: Syntax } = require('mvdan-sh');
  return (command) => {
    const first = judge(command, pathContext, syntax);
    if (first.parsed) return first.objection;
    const smooth = withoutKnownGaps(command);
    const second = smooth === command ? first : judge(smooth, pathContext, syntax);
    return second.parsed || !isRefusedByBash(command) ? second.objection : null;
  };
}

type Ground = { readonly root: string; readonly home: string };

type Judgement = { readonly parsed: boolean; readonly objection: string | null };

function judge(command: string, { root, home }: Ground, syntax: Syntax): Judgement {
  const bytes = Buffer.from(command);
  const say = (node: Node): string => bytes.subarray(node.Pos().Offset(), node.End().Offset()).toString();
  try {
    const objections: string[] = [];
    const place = { root, home, moves: /\b(?:cd|pushd)\b/.test(command) };
    const variables = new Map<string, string | null>(HARMLESS_VARIABLES.map((name) => [name, null]));
    syntax.Walk(syntax.NewParser().Parse(command, 'command'), (node) => {
      if (node !== null) objections.push(...object(syntax.NodeType(node), { node, say, place, variables }));
      return true;
    });
    return { parsed: true, objection: objections[0] ?? null };
  } catch (error) {
    return { parsed: false, objection: `does not parse: ${reasonOf(error)}` };
  }
}

/**
 * What this parser can't read though bash can: `time ! x` (only the status differs), `2>&1<&-` without a blank, and `((x) )`, which bash
 * takes for one subshell in another because no `))` ends it.
 */
function withoutKnownGaps(command: string): string {
  return command
    .replaceAll(/(?<=(?:^|[\s;&|(])time(?:\s+-p)?\s+)!(?=\s)/g, ' ')
    .replaceAll(/([<>]&(?:\d+|-))(?=[<>])/g, '$1 ')
    .replaceAll(/(?<![$<>])\((?=\()/g, '( ');
}

/** A command that bash itself rejects runs nothing, even if it was allowed. */
function isRefusedByBash(command: string): boolean {
  return spawnSync('/bin/bash', ['-n', '-c', command], { env: {} }).status !== 0;
}

function reasonOf(error: unknown): string {
  const says = typeof error === 'object' && error !== null && 'Error' in error ? error.Error : null;
  return typeof says === 'function' ? String(says.call(error)) : String(error);
}

type Node = {
  readonly Pos: () => { readonly Offset: () => number };
  readonly End: () => { readonly Offset: () => number };
  readonly Args?: ReadonlyArray<Node>;
  readonly Assigns?: ReadonlyArray<Node>;
};

type Syntax = {
  readonly NewParser: () => { readonly Parse: (source: string, name: string) => Node };
  readonly Walk: (node: Node, visit: (node: Node | null) => boolean) => void;
  readonly NodeType: (node: Node) => string;
};

type ReaderState = {
  readonly node: Node;
  readonly say: (node: Node) => string;
  readonly place: Place;
  /** Names that may be expanded, with the value of those that were set in the command itself. */
  readonly variables: Map<string, string | null>;
};

const FORBIDDEN_NODES =
  /^(?:ArithmCmd|FuncDecl|CoprocClause|LetClause|DeclClause|CStyleLoop|ExtGlob|ArrayExpr|TestDecl)$/;
const HARMLESS_ASSIGNMENT =
  /^(?:LC_\w+|LANG|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|NODE_ENV|TERM)=[\w./@+-]*$/;

function object(type: string, reader: ReaderState): ReadonlyArray<string> {
  const text = reader.say(reader.node);
  if (FORBIDDEN_NODES.test(type)) return [`${type}: ${text}`];
  if (type === 'WordIter') reader.variables.set(/^\w+/.exec(text)?.[0] ?? '', null);
  if (type === 'ParamExp') return reader.variables.has(PARAMETER.exec(text)?.[1] ?? '') ? [] : [`expands ${text}`];
  if (type === 'ArithmExp') return /[A-Za-z$`[]/.test(text.slice(1)) ? [`evaluates ${text}`] : [];
  if (type === 'ProcSubst') return text.startsWith('<(') ? [] : [`writes to ${text}`];
  if (type === 'WhileClause') return /^while (?:IFS= )?read\b/.test(text) ? [] : [`loops ${text}`];
  if (type === 'Redirect') return objectToRedirect(text, reader.place);
  return type === 'CallExpr' ? objectToSimple(reader) : [];
}

function objectToRedirect(text: string, place: Place): ReadonlyArray<string> {
  if (/^\d*<<-?/.test(text) || /^\d*[<>]&\s*(?:\d+-?|-)$/.test(text)) return [];
  if (/^(?:\d*<?>>?|\d*>\||&>>?)\s*\/dev\/null$/.test(unquote(text))) return [];
  const read = /^\d*<\s*([^<>&\s].*)$/s.exec(text)?.[1];
  if (read === undefined) return [`redirects ${text}`];
  return isOutside(unquote(read), place) || isSecret(unquote(read)) ? [`reads ${text}`] : [];
}

/** A plain variable, or one with a plain text cut off: `${x%.ts}`. */
const PARAMETER = /^\$\{?(\w+|[?#])(?:(?:%%?|##?)[\w.*/?-]+(?=\}))?\}?$/;

function objectToSimple(reader: ReaderState): ReadonlyArray<string> {
  const { node, say, place, variables } = reader;
  const written = [...(node.Args ?? [])].map(say).map((word) => withValues(word, variables));
  const assigned = [...(node.Assigns ?? [])].map(say);
  const sets = assigned.filter(
    (text) =>
      !HARMLESS_ASSIGNMENT.test(unquote(text)) &&
      !(written.length === 0 ? setsOwn(text, variables) : OWN_ASSIGNMENT.test(text)),
  );
  return [...sets.map((text) => `sets ${text}`), ...objectToCall(written, place)];
}

const OWN_ASSIGNMENT =
  /^((?!path|cdpath|\w*proxy)[a-z]\w*|FOO|BAR|BAZ|FILES?|DIRS?|[ABDFNPTXY]|PAT|PATTERN|NAME|ROOT|SRC)=([^(].*)?$/s;

/** The script's own name: neither the shell nor a program that it starts obeys it. */
function setsOwn(text: string, variables: ReaderState['variables']): boolean {
  const [, name, value = ''] = OWN_ASSIGNMENT.exec(text) ?? [];
  if (name === undefined) return false;
  variables.set(name, unquote(withValues(value, variables)));
  return true;
}

/** Words with the values that were set before; text in single quotes stays. */
function withValues(word: string, variables: ReaderState['variables']): string {
  return word.startsWith("'")
    ? word
    : word.replaceAll(/\$(?:(\w+)|\{(\w+)\})/g, (all, plain?: string, braced?: string) => {
        return variables.get(plain ?? braced ?? '') ?? all;
      });
}
