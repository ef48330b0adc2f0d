import {
  forEachChild,
  type Case,
  type CommandNode,
  type CompoundList,
  type For,
  type Function as FunctionNode,
  type If,
  type ParsedScript,
  type PipelineNode,
  type AndOr,
  type Pipeline,
  type Redirected,
  type Statement,
  type SyntaxNode,
  type While,
  type Word,
} from 'unbash';
import { isOwnName, rebind, stillHolds } from './bindings.ts';
import { analyseCommand, analyseRedirects } from './command.ts';
import { draftOf, worsen, type Draft } from './draft.ts';
import { walkFedText } from './fed-text.ts';
import { pipedNamesOf } from './piped-names.ts';
import { judgePipeline } from './flows.ts';
import { distinct, isWords, looped, readsLines } from './loops.ts';
import { MOVERS } from './move-folder.ts';
import { givesInput } from './redirections.ts';
import { judgeTest } from './test-command.ts';
import { DEEPEST, either, excerpt, same, scopeOf, stay, type Outcome, type State, type Walk } from './walk-state.ts';
import { expandWord } from './words.ts';

/** Reads a script from its first to its last command. Errors of the grammar become problems; what was read still counts. */
export function walkScript(script: ParsedScript, state: State, walk: Walk): State {
  const inner = script.source === undefined ? walk : { ...walk, source: script.source };
  for (const error of script.errors ?? [])
    walk.problems.push({ reason: `is not a complete command: ${error.message}`, part: excerpt(inner, script) });
  if (script.commands.length > 0 && !isWhole(script, inner.source)) {
    walk.problems.push({ reason: 'is not a complete command', part: excerpt(inner, script) });
  }
  return walkStatements(script.commands, state, inner);
}

/** There are only separators, comments and heredocs between the statements: the grammar has skipped nothing. */
function isWhole(script: ParsedScript, source: string): boolean {
  if (source.includes('<<') && source.slice(script.pos, script.end).includes('<<')) return true;
  let at = script.pos;
  for (const { pos, end } of script.commands) {
    if (pos > at && !SEPARATORS.test(source.slice(at, pos))) return false;
    at = end;
  }
  return script.end <= at || SEPARATORS.test(source.slice(at, script.end));
}

const SEPARATORS = /^(?:[\s;&]|\\\n|#[^\n]*)*$/;

/**
 * Looks into a word, an expression or a heredoc for commands that run when it is expanded: each is a part of its own. Answers whether
 * something else runs there.
 */
export function walkExpansions(node: SyntaxNode, state: State, walk: Walk): boolean {
  let found = false;
  if (node.type === 'Script') {
    walkScript(node, { ...state, depth: state.depth + 1 }, walk);
    return false;
  }
  forEachChild(node, (child) => {
    if (walkExpansions(child, state, walk)) found = true;
  });
  if (node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution')
    return found || node.script === undefined || isShared(node);
  return found || node.type === 'ArithmeticCommandExpansion';
}

/** `>(…)` gets what is written to it. `${ …;}` runs in this very shell, which it may lead elsewhere, and shells differ on it. */
function isShared(node: { readonly text: string; readonly operator?: string }): boolean {
  return node.operator === '>' || node.text.startsWith('${');
}

function walkStatements(statements: ReadonlyArray<Statement>, start: State, walk: Walk): State {
  return statements.reduce((state, { command, background }) => {
    const { ok, bad } = walkNode(command, state, walk);
    return background === true ? state : either(ok, bad);
  }, start);
}

function walkList(list: CompoundList, state: State, walk: Walk): State {
  return walkStatements(list.commands, state, walk);
}

function walkNode(node: PipelineNode | AndOr, state: State, walk: Walk): Outcome {
  if (node.type === 'AndOr') return walkAndOr(node, state, walk);
  return node.type === 'Pipeline' ? walkPipeline(node, state, walk) : walkCommand(node, state, walk);
}

/** There are only operators, blanks and comments between the members. */
function requireJoined(node: AndOr | Pipeline, walk: Walk): void {
  if (walk.source.includes('<<') && walk.source.slice(node.pos, node.end).includes('<<')) return;
  const isLoose = node.commands.some(({ pos }, at) => {
    const before = node.commands[at - 1];
    return before !== undefined && !OPERATORS.test(walk.source.slice(before.end, pos));
  });
  if (isLoose) walk.problems.push({ reason: 'is not a complete command', part: excerpt(walk, node) });
}

const OPERATORS = /^(?:[\s|&!]|\\\n|#[^\n]*|time(?: -p)?\s)*$/;

/** `a && b`: b starts in the state after a's success; `a || b`: after its failure. */
function walkAndOr(node: AndOr, state: State, walk: Walk): Outcome {
  requireJoined(node, walk);
  let outcome: Outcome = stay(state);
  node.commands.forEach((command, at) => {
    const operator = node.operators[at - 1];
    if (operator === undefined) outcome = walkNode(command, state, walk);
    else {
      const next = walkNode(command, operator === '&&' ? outcome.ok : outcome.bad, walk);
      outcome =
        operator === '&&'
          ? { ok: next.ok, bad: either(outcome.bad, next.bad) }
          : { ok: either(outcome.ok, next.ok), bad: next.bad };
    }
  });
  return outcome;
}

/** Each member of a pipeline runs in its own shell. */
function walkPipeline(node: Pipeline, state: State, walk: Walk): Outcome {
  const [only, ...others] = node.commands;
  if (only === undefined) {
    walk.problems.push({ reason: 'is not a complete command', part: excerpt(walk, node) });
    return stay(state);
  }
  if (node.prefixes.some((prefix) => prefix.type === 'Time' && prefix.endOfOptions !== undefined)) {
    walk.problems.push({ reason: 'shells differ on what time -- means', part: excerpt(walk, node) });
  }
  if (node.prefixes.filter(({ type }) => type === 'Negation').length > 1) {
    walk.problems.push({ reason: 'shells differ on what ! ! means', part: excerpt(walk, node) });
  }
  if (others.length === 0) {
    const { ok, bad } = walkCommand(only, state, walk);
    return node.prefixes.some(({ type }) => type === 'Negation') ? { ok: bad, bad: ok } : { ok, bad };
  }
  requireJoined(node, walk);
  const members = node.commands.map((command, at) =>
    collect(walk, () => walkCommand(command, at === 0 ? state : fedBy(node.commands.slice(0, at), command), walk)),
  );
  judgePipeline(members, walk, excerpt(walk, node));
  if (state.depth < DEEPEST)
    members.forEach((takers, at) => walkFedText({ text: null, from: members[at - 1] ?? [] }, takers, { state, walk }));
  return stay(state);

  /** Only xargs asks for the names. */
  function fedBy(before: ReadonlyArray<CommandNode>, taker: CommandNode): State {
    const asks = walk.source.includes('xargs') && walk.source.slice(taker.pos, taker.end).includes('xargs');
    return { ...state, fed: true, piped: asks ? pipedNamesOf(before, scopeOf(state, walk)) : null };
  }
}

function collect(walk: Walk, work: () => unknown): ReadonlyArray<Draft> {
  const from = walk.drafts.length;
  work();
  return walk.drafts.slice(from);
}

function walkCommand(node: CommandNode, state: State, walk: Walk): Outcome {
  switch (node.type) {
    case 'Command':
      return analyseCommand(node, state, walk);
    case 'Redirected':
      return walkRedirected(node, state, walk);
    case 'Subshell':
      walkList(node.body, state, walk);
      return stay(state);
    case 'BraceGroup':
      return stay(walkList(node.body, state, walk));
    case 'If':
      return stay(walkIf(node, state, walk));
    case 'For':
      return stay(walkFor(node, state, walk));
    case 'Case':
      return stay(walkCase(node, state, walk));
    case 'While':
      return readsLines(node, state) ? stay(walkLines(node, state, walk)) : walkOther(node, state, walk);
    case 'TestCommand':
      judgeTest(node, state, walk);
      return stay(state);
    case 'Function':
      walkFunction(node, state, walk);
      return stay(state);
    default:
      return walkOther(node, state, walk);
  }
}

/** Loops whose end is unknown, arithmetic, and background commands: their contents count, and they ask. */
function walkOther(node: Exclude<CommandNode, { type: 'Command' }>, state: State, walk: Walk): Outcome {
  const draft = note(node, OTHERS[node.type] ?? 'is not understood', { state, walk });
  if (KEEPS_STARTING.test(draft.text)) worsen(draft, 'destructive', 'exhausts the machine: it keeps starting others');
  const end = { ...state, cwds: state.cwds };
  forEachChild(node, (child) => {
    if (child.type === 'CompoundList') loopBody(child, end, { walk, draft });
    else if (child.type === 'Command' || child.type === 'Redirected' || isCompound(child))
      walkCommand(child, end, walk);
    else walkExpansions(child, end, walk);
  });
  return stay(state);
}

/** An endless loop that waits for nothing it starts. */
const KEEPS_STARTING =
  /^(?:while\s+(?:true|:|\[\s*1\s*\]|\(\(\s*1\s*\)\))|until\s+false|for\s*\(\(\s*;\s*;\s*\)\))\s*;?\s*do\s(?!.*\bwait\b).*[^&>|]&\s*(?:done|;|\n)/s;

const OTHERS: Readonly<Record<string, string>> = {
  While: 'a loop that may not end',
  ArithmeticFor: 'a loop that may not end',
  Select: 'waits for an answer',
  Coproc: 'runs beside the script',
  ArithmeticCommand: 'arithmetic can run a command',
};

const COMPOUNDS: ReadonlySet<string> = new Set([
  'If',
  'For',
  'ArithmeticFor',
  'Select',
  'While',
  'Subshell',
  'BraceGroup',
  'Case',
  'TestCommand',
  'ArithmeticCommand',
]);

function isCompound(node: SyntaxNode): node is Exclude<CommandNode, { type: 'Command' }> {
  return COMPOUNDS.has(node.type);
}

/** A body that changes the folder starts elsewhere the next time; a variable that it changes is then different. */
function loopBody(
  body: CompoundList,
  state: State,
  { walk, draft, name = '' }: { readonly walk: Walk; readonly draft: Draft | null; readonly name?: string },
): void {
  const end = walkList(body, state, walk);
  const keepsFolder = same(end.cwds, state.cwds);
  if (keepsFolder && stillHolds(state.bindings, end.bindings, name)) return;
  const reason = `changes ${keepsFolder ? 'a variable' : 'its folder'} in a loop`;
  if (draft !== null) worsen(draft, 'unknown', reason);
  else walk.problems.push({ reason, part: excerpt(walk, body) });
}

function note(
  node: { readonly pos: number; readonly end: number },
  reason: string,
  { state, walk }: { readonly state: State; readonly walk: Walk },
): Draft {
  const draft = draftOf(excerpt(walk, node), state, { effect: 'unknown', reason });
  walk.drafts.push(draft);
  return draft;
}

function walkRedirected(node: Redirected, state: State, walk: Walk): Outcome {
  const fed = state.fed || givesInput(node.redirects);
  let outcome = stay(state);
  const inner = collect(walk, () => {
    outcome = walkCommand(node.command, { ...state, fed, piped: null }, walk);
  });
  analyseRedirects(node, inner, { state, walk });
  for (const redirect of node.redirects) walkExpansions(redirect, state, walk);
  if (node.command.type === 'Subshell' || inner.length === 0) return stay(state);
  const { bindings } = either(outcome.ok, outcome.bad);
  const moves = inner.some(({ words }) => MOVERS.has(words[0]?.text ?? ''));
  return stay({ ...state, bindings, cwds: moves ? [] : state.cwds });
}

function walkIf(node: If, state: State, walk: Walk): State {
  const tested = walkList(node.clause, state, walk);
  let end = either(tested, walkList(node.then, tested, walk));
  let before = tested;
  for (const branch of node.elif) {
    before = walkList(branch.clause, before, walk);
    end = either(end, walkList(branch.then, before, walk));
  }
  return node.else === undefined ? either(end, before) : either(end, walkList(node.else, before, walk));
}

const MOST_ROUNDS = 24;

/** The body is read once for each value: `"$f"` is then that value. */
function walkFor(node: For, state: State, walk: Walk): State {
  walkExpansions(node.name, state, walk);
  const from = walk.drafts.length;
  for (const word of node.wordlist ?? [])
    if (walkExpansions(word, state, walk)) note(word, 'runs a command to fill a loop', { state, walk });
    else if (!isInert(word, { state, walk }, true))
      note(word, `${word.text} is evaluated to fill a loop`, { state, walk });
  if (walk.drafts.slice(from).some(({ facts }) => facts.secret)) walk.seen.secretStored = true;
  const name = node.name.value;
  if (!isOwnName(name)) note(node.name, `sets ${name}`, { state, walk });
  const values = (node.wordlist ?? []).flatMap((word) => expandWord(word, scopeOf(state, walk)));
  const told =
    node.wordlist !== undefined &&
    values.length <= MOST_ROUNDS &&
    state.loops < 2 &&
    values.every(({ known }) => known);
  for (const value of told ? distinct(values) : [looped(name, values)]) {
    const bindings = rebind(state.bindings, name, value);
    loopBody(node.body, { ...state, bindings, loops: state.loops + 1 }, { walk, draft: null, name });
  }
  return { ...state, bindings: rebind(state.bindings, name, null) };
}

/** Looking it up can't run or change anything: operators of `${…}` and arithmetic can. `splits`: it becomes words. */
function isInert(
  word: Word,
  { state, walk }: { readonly state: State; readonly walk: Walk },
  splits: boolean,
): boolean {
  return expandWord(word, scopeOf(state, walk)).every((one) => {
    if (one.known || one.harmless) return true;
    return one.inert === true && one.shape !== undefined && one.shape !== 'pipe' && (!splits || isWords(one));
  });
}

function walkLines(node: While, state: State, walk: Walk): State {
  const read = walkList(node.clause, state, walk);
  loopBody(node.body, read, { walk, draft: null });
  return read;
}

function walkCase(node: Case, state: State, walk: Walk): State {
  const words: ReadonlyArray<Word> = [node.word, ...node.items.flatMap(({ pattern }) => pattern)];
  for (const word of words)
    if (walkExpansions(word, state, walk)) note(word, 'runs a command to choose a case', { state, walk });
    else if (!isInert(word, { state, walk }, false))
      note(word, `${word.text} is evaluated to choose a case`, { state, walk });
  return node.items.reduce((end, item) => either(end, walkList(item.body, either(state, end), walk)), state);
}

/** A function can replace any command. One that starts itself twice is a fork bomb. */
function walkFunction(node: FunctionNode, state: State, walk: Walk): void {
  const draft = note(node, 'defines a function', { state, walk });
  const inner = collect(walk, () => {
    if (node.body.type === 'CompoundList') walkList(node.body, state, walk);
    else walkCommand(node.body, state, walk);
  });
  const calls = inner.filter(({ words }) => words[0]?.text === node.name.value);
  const spreads = /[|&]/.test(walk.source.slice(node.body.pos, node.body.end).replaceAll(/&&|\|\|/g, ''));
  if (calls.length > 0 && spreads)
    worsen(draft, 'destructive', 'exhausts the machine: a function that keeps starting itself');
}
