import { parse, type Assignment, type Command, type Redirected, type Redirection, type Word } from 'unbash';
import { isHarmlessAssignment } from './assignments.ts';
import { assignedValue, isOwnName, rebind, type Bindings } from './bindings.ts';
import { isOwnFile } from './changes.ts';
import { disarms, whyNotWrite } from './destructive/lasting-access.ts';
import { factsOf, isInterpreter } from './destructive/secrets.ts';
import { worsen, type Draft } from './draft.ts';
import { walkFedText } from './fed-text.ts';
import { judgeFetched } from './fetched-files.ts';
import { judgeInner } from './flows.ts';
import { insideOf } from './inside.ts';
import { judgeCommand } from './judge-command.ts';
import { moveFolder } from './move-folder.ts';
import { substitutedNames } from './piped-names.ts';
import { absolutePath, givesInput, openRedirection, type Opened } from './redirections.ts';
import { DEEPEST, excerpt, MOST_PARTS, scopeOf, stay, type Outcome, type State, type Walk } from './walk-state.ts';
import { namesOfRead } from './reads/shell-builtins.ts';
import { expandWord, ownText, unknown, type Scope, type ExpandedWord } from './words.ts';
import { namesSecretFile } from './secret-names.ts';
import { isUnnamed } from './unnamed.ts';
import { unwrap } from './wrappers.ts';

/** A simple command: its words, what it opens, what runs inside its words, and the folder it leaves the shell in. */
export function analyseCommand(node: Command, state: State, walk: Walk): Outcome {
  walk.seen.commands += 1;
  const scope = scopeOf(state, walk);
  const words = wordsOf(node, scope);
  const from = walk.drafts.length;
  const children = childrenOf(node);
  let expands = false;
  for (const child of children) if (mayExpand(child) && walk.into.expansions(child, state, walk)) expands = true;
  const inner = walk.drafts.length === from ? [] : walk.drafts.slice(from);
  const { draft, runs } = analyseWords(words, { state, walk, node });
  if (expands) worsen(draft, 'unknown', 'runs a command inside a word');
  if (!isSeamless(node, children, walk.source))
    walk.problems.push({ reason: 'is not a complete command', part: draft.text });
  const bindings = judgeAssignments(node, scope, draft);
  for (const redirect of node.redirects) judgeRedirect(redirect, draft, { state, walk, scope });
  const interprets = isInterpreter(baseName(runs)) || (runs[0]?.known === false && /^(?:\$\(|`)/.test(runs[0].text));
  judgeInner(draft, inner, { walk, interprets });
  judgeFetched(draft, runs, walk);
  if (node.redirects.length > 0 && state.depth < DEEPEST) {
    const takers = walk.drafts.slice(from);
    for (const redirect of node.redirects)
      if (redirect.type !== 'Redirect') walkFedText({ text: givenText(redirect), from: [] }, takers, { state, walk });
  }
  if (node.name === undefined) return stay({ ...state, bindings });
  return runs[0]?.text === 'read' ? stay(withRead(runs, state)) : moveFolder(draft, state, walk);
}

function givenText(redirect: Redirection): string | null {
  if (redirect.type === 'HereDoc') return redirect.body.text;
  return redirect.type === 'HereString' ? (redirect.target?.value ?? null) : null;
}

/** What `read` puts into a variable is a text of the script's own. */
function withRead(runs: ReadonlyArray<ExpandedWord>, state: State): State {
  const names = namesOfRead(runs.slice(1)) ?? [];
  return { ...state, bindings: names.reduce((all, name) => rebind(all, name, ownText(name)), state.bindings) };
}

type Child = Command['prefix'][number] | Command['suffix'][number];

function childrenOf(node: Command): ReadonlyArray<Child> {
  if (node.name === undefined) return [...node.prefix, ...node.suffix];
  return node.prefix.length === 0 ? [node.name, ...node.suffix] : [...node.prefix, node.name, ...node.suffix];
}

/** A word without parts contains nothing to expand. */
function mayExpand(child: Child): boolean {
  return child.type !== 'Word' || child.parts !== undefined;
}

/** There are only blanks between the words: the grammar has skipped nothing. */
function isSeamless(node: Command, children: ReadonlyArray<Child>, source: string): boolean {
  let at = node.pos;
  for (const child of children) {
    const plain = child.pos <= at || (child.pos === at + 1 && source.charCodeAt(at) === SPACE);
    if (!plain && !/^(?:[ \t]|\\\n)*$/.test(source.slice(at, child.pos))) return false;
    at = Math.max(at, child.end);
  }
  return (at >= node.end || /^(?:\s|\\\n)*$/.test(source.slice(at, node.end))) && !opensNext(source, node.end);
}

/** `ls(|| x`: the grammar skips this bracket, and bash rejects such a command. */
function opensNext(source: string, from: number): boolean {
  let at = from;
  while (source.charCodeAt(at) === SPACE || source.charAt(at) === '\t' || source.startsWith('\\\n', at))
    at += source.charAt(at) === '\\' ? 2 : 1;
  return source.charAt(at) === '(';
}

const SPACE = 32;

/** Redirections of a group apply to everything in it. */
export function analyseRedirects(
  node: Redirected,
  inner: ReadonlyArray<Draft>,
  { state, walk }: { readonly state: State; readonly walk: Walk },
): void {
  const scope = scopeOf(state, walk);
  const draft = newDraft([], { state, walk, node }, { assigns: NONE, stripped: false });
  draft.effect = 'read';
  draft.reason = 'only joins or discards streams';
  for (const redirect of node.redirects) judgeRedirect(redirect, draft, { state, walk, scope });
  const secret =
    (inner.some(({ facts }) => facts.secret) && draft.facts.network) ||
    (draft.facts.secret && inner.some(({ facts }) => facts.network));
  if (secret) worsen(draft, 'destructive', 'sends credentials to the network');
  if (draft.facts.network && inner.some(({ facts }) => facts.interprets))
    worsen(draft, 'destructive', 'opens a lasting door: a shell for another machine');
}

type Place = {
  readonly state: State;
  readonly walk: Walk;
  readonly node: { readonly pos: number; readonly end: number };
};

/** `runs`: the words of the draft without wrappers. */
type Analysed = { readonly draft: Draft; readonly runs: ReadonlyArray<ExpandedWord> };

/** The words of a command, or of one that another command runs: of `xargs rm`, of `find -exec`. */
function analyseWords(words: ReadonlyArray<ExpandedWord>, place: Place): Analysed {
  const { state, walk } = place;
  const unwrapped = unwrap(words);
  const assigns = prefixNames(place.node);
  if (unwrapped.trust !== 'never') {
    const draft = newDraft(unwrapped.words, place, { assigns, stripped: unwrapped.trust === 'stripped' });
    if (unwrapped.trust === 'stripped')
      worsen(draft, 'unknown', `${unwrapped.wrappers.join(', ')} changes how it runs`);
    finish(draft, place, unwrapped.wrappers);
    return { draft, runs: unwrapped.words };
  }
  const outer = newDraft(words, place, { assigns, stripped: false });
  finish(outer, place, []);
  if (state.depth < DEEPEST)
    analyseWords(unwrapped.words, {
      ...place,
      state: { ...state, via: unwrapped.wrappers.join(' '), depth: state.depth + 1 },
    });
  else walk.problems.push({ reason: 'is nested too deeply', part: outer.text });
  return { draft: outer, runs: unwrapped.words };
}

function finish(draft: Draft, { state, walk, node }: Place, wrappers: ReadonlyArray<string>): void {
  const fed = state.fed || ('redirects' in node && Array.isArray(node.redirects) && givesInput(node.redirects));
  const { pathContext, seen } = walk;
  draft.unnamed = isUnnamed(draft.words, { via: draft.via, fed, assigns: draft.assigns });
  const piped = fed && !state.fed ? null : state.piped;
  judgeCommand(draft, { pathContext, moved: state.moved, wrappers, fed, piped, brief: seen.commands > MOST_PARTS });
  walkInside(draft, state, walk);
}

function walkInside(draft: Draft, state: State, walk: Walk): void {
  const name = baseName(draft.words);
  const { scripts, commands } = insideOf(name, draft.words);
  if (scripts.length + commands.length === 0) return;
  if (state.depth >= DEEPEST) {
    walk.problems.push({ reason: 'is nested too deeply', part: draft.text });
    return;
  }
  const inner: State = { ...state, via: draft.via === null ? name : `${draft.via} ${name}`, depth: state.depth + 1 };
  for (const text of scripts) walk.into.script(parse(text), inner, { ...walk, source: text });
  for (const command of commands) {
    const { draft: one } = analyseWords(command, { state: inner, walk, node: { pos: 0, end: 0 } });
    if (draft.facts.secret && one.facts.network) worsen(one, 'destructive', 'sends credentials to the network');
  }
}

function newDraft(
  words: ReadonlyArray<ExpandedWord>,
  { state, walk, node }: Place,
  { assigns, stripped }: Pick<Draft, 'assigns' | 'stripped'>,
): Draft {
  const text = excerpt(walk, node);
  const draft: Draft = {
    text:
      state.via === null
        ? text
        : words
            .map((word) => word.text)
            .join(' ')
            .slice(0, 2_000),
    words,
    assigns,
    cwds: state.cwds,
    via: state.via,
    stripped,
    targets: [],
    facts: factsOf(baseName(words), words.slice(1), text),
    unnamed: false,
    effect: 'read',
    reason: 'only reads',
  };
  walk.drafts.push(draft);
  return draft;
}

function baseName(words: ReadonlyArray<ExpandedWord>): string {
  const name = words[0]?.text ?? '';
  return name.slice(name.lastIndexOf('/') + 1);
}

function prefixNames(node: object): ReadonlyArray<string> {
  const prefix = 'prefix' in node && Array.isArray(node.prefix) ? node.prefix : NONE;
  if (prefix.length === 0) return NONE;
  return prefix.flatMap((child: Assignment | Redirection) => (child.type === 'Assignment' ? [child.name] : []));
}

const NONE: ReadonlyArray<never> = [];

function wordsOf(node: Command, scope: Scope): ReadonlyArray<ExpandedWord> {
  const words: ExpandedWord[] = node.name === undefined ? [] : [...expandWord(node.name, scope)];
  for (const argument of node.args)
    if (argument.type === 'Word') words.push(...withNames(argument, scope));
    else words.push(unknown(argument.text));
  return words;
}

function withNames(argument: Word, scope: Scope): ReadonlyArray<ExpandedWord> {
  const expanded = expandWord(argument, scope);
  const found = argument.parts?.[0]?.type === 'CommandExpansion' ? substitutedNames(argument, scope) : null;
  return found === null ? expanded : expanded.map((word) => ({ ...word, found }));
}

/** Without a command they stay set, one after the other; before a command they only apply to it, after its words were expanded. */
function judgeAssignments(node: Command, scope: Scope, draft: Draft): Bindings {
  let bindings = scope.bindings;
  const stays = node.name === undefined;
  for (const child of node.prefix) {
    if (child.type !== 'Assignment') continue;
    const value = assignedValue(child, { ...scope, bindings });
    if (disarms(child.name)) worsen(draft, 'destructive', "turns off the agent's own guard");
    const isOwn = value !== null && (isOwnName(child.name) || (!stays && isForRead(child.name, draft)));
    if (!isHarmlessAssignment(child.name, value?.known === true ? value.text : null) && !isOwn)
      worsen(draft, 'unknown', `sets ${child.name}, which may change what runs`);
    bindings = rebind(bindings, child.name, value);
  }
  return bindings;
}

/** `IFS= read -r line`: how that line is split, and nothing else. */
function isForRead(name: string, { words }: Draft): boolean {
  return name === 'IFS' && words[0]?.text === 'read' && words[0].plain;
}

function judgeRedirect(
  redirect: Redirection,
  draft: Draft,
  { state, walk, scope }: { readonly state: State; readonly walk: Walk; readonly scope: Scope },
): void {
  const opened = openRedirection(redirect, scope, state.cwds, walk.pathContext);
  if (!('word' in opened)) return;
  const path = absolutePath(opened.word, state.cwds, walk.pathContext);
  if (opened.kind === 'read' && opened.guarded !== null)
    draft.targets.push({ path: opened.guarded, access: 'read', via: 'redirection', guarded: true });
  else draft.targets.push({ path, access: opened.kind === 'read' ? 'read' : 'write', via: 'redirection' });
  if (opened.kind === 'read' && namesSecretFile(opened.word.text)) draft.facts = { ...draft.facts, secret: true };
  judgeOpened(opened, draft, { cwds: state.cwds, pathContext: walk.pathContext });
}

function judgeOpened(
  opened: Extract<Opened, { word: unknown }>,
  draft: Draft,
  pathContext: { readonly cwds: ReadonlyArray<string>; readonly pathContext: Walk['pathContext'] },
): void {
  if (opened.kind === 'read') {
    if (opened.refused !== null) worsen(draft, opened.guarded === null ? 'unknown' : 'guarded', opened.refused);
    return;
  }
  if (opened.kind === 'unknown') return worsen(draft, 'unknown', 'a redirection is only known when it runs');
  const reason = whyNotWrite(opened.word, pathContext.cwds, pathContext.pathContext);
  if (reason !== null) worsen(draft, 'destructive', reason);
  else if (isOwnFile(opened.word, pathContext)) worsen(draft, 'edit', `writes ${opened.word.text}`);
  else worsen(draft, 'unknown', `writes ${opened.word.text}, which is not a plain file of the workspace`);
}
