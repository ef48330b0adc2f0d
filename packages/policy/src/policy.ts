import path from 'node:path';
import { commandUnits } from './command-units.ts';
import { compileRule, matchesName, speaksOfCall, type CompiledRule } from './compile-rule.ts';
import { hostOf } from './domain-pattern.ts';
import type { IsExcluded } from './excluded-commands.ts';
import { matchesForms, pathUnit } from './path-unit.ts';
import { pathForms } from './real-path.ts';
import type { ShellPort } from './shell-port.ts';
import { namesTool, ruleNameOf } from './rule-names.ts';
import type { Judgement, PermissionMode, PermissionRule, PolicyCall } from './types.ts';
import { judgeUnit, strictest, type Unit } from './unit.ts';
import { childVariables, hostVariables, type Variables } from '@attractor/system';
import { type Touch, whatACallTouches } from '@attractor/tool-table';

import type { WorkLimit } from './work-limit.ts';
import { type Containment, isHostFile, withHooks, workspaceOf, type Workspace } from './workspace.ts';

export type PolicyOptions = {
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly mode: PermissionMode;
  /** The folder of the work: commands start here, and relative paths are resolved from here. */
  readonly root: string;
  readonly home: string;
  readonly additionalDirectories?: ReadonlyArray<string>;
  /**
   * The operating system contains the commands, or a person waived that. If neither is the case, `bypassPermissions` counts as `default`.
   */
  readonly sandboxed: boolean;
  /** The commands of the task's checks: they may run unasked. Only where the operating system contains them. */
  readonly checks?: ReadonlyArray<string>;
  /** Commands that run outside the sandbox although there is one: in `bypassPermissions` they are judged as in `default`. */
  readonly isExcluded?: IsExcluded;
  /** Commands share one shell, so an earlier one can change the meaning of a later one. */
  readonly persistentShell?: boolean;
  /** Absent: our own parser of bash, loaded when the first command is judged. */
  readonly shell?: ShellPort;
  /** What is refused whatever anybody allows. Absent: nothing is known to be. */
  readonly containment?: Containment;
  /** Files that no call may read or change, whatever allows it: what would open the host itself. */
  readonly hostFiles?: ReadonlyArray<string>;
  /** What this part of the work is limited to. Absent: to nothing. */
  readonly limit?: WorkLimit;
  /** What commands see of the environment, which programs obey. Absent: the default. */
  readonly variables?: Variables | (() => Variables);
};

/**
 * Who may do what. A value: changing mode or rules makes another one. `judge` changes nothing; it resolves paths, asks git what it would
 * obey, and does nothing else.
 */
export type Policy = {
  readonly mode: PermissionMode;
  readonly rules: ReadonlyArray<PermissionRule>;
  readonly judge: (call: PolicyCall) => Promise<Judgement>;
  /** Whether every call of the tool is denied; the model is then not shown the tool at all. */
  readonly hides: (toolName: string) => boolean;
  /** For files that a search would show. */
  readonly deniesReading: (file: string) => boolean;
  readonly restrictsReading: boolean;
  /** Drops what was allowed for this session only: it was allowed under another mode. */
  readonly withMode: (mode: PermissionMode) => Policy;
  readonly withRules: (rules: ReadonlyArray<PermissionRule>) => Policy;
  /** The same in another folder, where its rules about files of this one count too. */
  readonly at: (place: PolicyPlace) => Policy;
  /** A policy for a child. It never allows what this one does not. */
  readonly subsetFor: (child: ChildRights) => Policy;
};

/** Where work is judged, and what is refused there whatever anybody allows. */
export type PolicyPlace = Pick<PolicyOptions, 'root' | 'containment'>;

/** How a child may be limited further than its parent. Nothing here can allow it more. */
export type ChildRights = {
  readonly mode?: PermissionMode;
  readonly rules?: ReadonlyArray<PermissionRule>;
  /** Given: it may use these tools, by the names of rules, and no others. */
  readonly tools?: ReadonlyArray<string>;
  /** Where it works. Absent: where its parent does. */
  readonly place?: PolicyPlace;
};

/** A policy made of rules. Their order does not matter: deny wins over ask, and ask over allow. */
export function createPolicy(options: PolicyOptions): Policy {
  const workspace = workspaceOf(options);
  const rules = options.rules.map((rule) => compileRule(rule, { cwd: workspace.root, home: workspace.home }));
  const mode = options.mode === 'bypassPermissions' && !options.sandboxed ? 'default' : options.mode;
  const context: Context = { workspace, rules, mode, options, variables: variablesOf(options) };
  const reading = rules.filter(({ rule, kind }) => rule.behavior === 'deny' && kind === 'read');
  const self: Policy = {
    mode: options.mode,
    rules: options.rules,
    judge: async (call) => finished(strictest(await judgeUnits(call, context)), mode),
    hides: (toolName) =>
      rules.some(({ rule, content }) => rule.behavior === 'deny' && content === null && namesTool(rule.tool, toolName)),
    deniesReading: (file) => {
      const forms = pathForms(workspace.root, file);
      if (isHostFile(workspace, forms.asked, forms.real)) return true;
      return reading.some(
        ({ content }) => content === null || (content.kind === 'path' && matchesForms(content.pattern, forms, 'deny')),
      );
    },
    restrictsReading: reading.length > 0,
    withMode: (next) => createPolicy({ ...options, mode: next, rules: options.rules.filter(outlivesMode) }),
    withRules: (more) => createPolicy({ ...options, rules: [...options.rules, ...more] }),
    at: (place) => createPolicy(placed(options, place)),
    subsetFor: (child) => subset(self, options, child),
  };
  return self;
}

function placed(options: PolicyOptions, { root, containment = {} }: PolicyPlace): PolicyOptions {
  const moved = options.rules
    .filter(({ origin }) => origin.root === options.root)
    .map((rule) => ({ ...rule, origin: { ...rule.origin, root } }));
  return { ...options, root, containment, rules: [...options.rules, ...moved] };
}

type Context = {
  readonly workspace: Workspace;
  readonly rules: ReadonlyArray<CompiledRule>;
  readonly mode: PermissionMode;
  readonly options: PolicyOptions;
  readonly variables: () => Variables;
};

function outlivesMode({ behavior, origin }: PermissionRule): boolean {
  return behavior !== 'allow' || origin.scope !== 'session';
}

/** If nobody can be asked, a question becomes a denial; it still names the rule that would have allowed the call. */
function finished(judgement: Judgement, mode: PermissionMode): Judgement {
  if (judgement.decision !== 'ask' || mode !== 'dontAsk') return judgement;
  return { ...judgement, decision: 'deny', reason: `${judgement.reason}, and the mode dontAsk asks nobody` };
}

async function judgeUnits(call: PolicyCall, context: Context): Promise<ReadonlyArray<Judgement>> {
  const judged = (await leavesSandbox(call, context)) ? outside(context) : context;
  const units = await unitsOf(call, judged);
  return units.map((unit) => judgeUnit(unit, judged.rules, judged.mode));
}

async function leavesSandbox(call: PolicyCall, { options, workspace }: Context): Promise<boolean> {
  const touch = options.isExcluded === undefined ? null : whatACallTouches(call);
  if (touch?.kind !== 'command') return false;
  const cwd = touch.cwd ?? startingFolder(workspace, call.workingDir) ?? '.';
  return (await options.isExcluded?.(touch.command, path.resolve(workspace.root, cwd))) === true;
}

/** What may run unasked because the sandbox contains it asks outside of it, and what the sandbox refuses is not refused there. */
function outside(context: Context): Context {
  const { mode, options, workspace } = context;
  const { commands: _paths, addresses: _web, ...containment } = workspace.containment;
  return {
    ...context,
    mode: mode === 'bypassPermissions' ? 'default' : mode,
    options: { ...options, checks: [] },
    workspace: { ...workspace, containment },
  };
}

async function unitsOf(call: PolicyCall, context: Context): Promise<ReadonlyArray<Unit>> {
  const touch = whatACallTouches(call);
  if (touch.kind === 'command') {
    const shell = context.options.shell ?? (await import('./load-shell.ts')).SHELL;
    const { workspace, rules, options } = context;
    const { command } = touch;
    const cwd = touch.cwd ?? startingFolder(workspace, call.workingDir);
    const known = { isRestricted: rules.some(restricts), isPersistent: options.persistentShell === true };
    const asked = { call, command, cwd, checks: options.checks ?? [] };
    return commandUnits({ ...asked, workspace, rules, variables: context.variables(), ...known }, shell);
  }
  if (touch.kind === 'files') {
    const { workspace, variables } = context;
    return fileUnits(call, touch, touch.writes.length === 0 ? workspace : await withHooks(workspace, variables()));
  }
  return [callUnit(call, touch)];
}

/** Those of this process are looked through once. */
function variablesOf({ variables }: PolicyOptions): () => Variables {
  if (variables !== undefined) return typeof variables === 'function' ? variables : () => variables;
  let usual: Variables | undefined;
  return () => (usual ??= childVariables('inherit_harmless', hostVariables()));
}

/** The folder that the last command ended in, or the root if that folder is gone. */
function startingFolder({ root }: Workspace, workingDir: string | undefined): string | null {
  if (workingDir === undefined || workingDir === '.') return null;
  const { real, kind } = pathForms(root, workingDir);
  return real === null || kind === 'folder' ? workingDir : null;
}

function restricts({ rule, kind }: CompiledRule): boolean {
  return rule.behavior !== 'allow' && (kind === 'command' || kind === 'read' || kind === 'edit' || kind === 'folder');
}

/** The call as a whole is judged too, by the rules that name its tool: a call that touches nothing can still be denied. */
function fileUnits(
  call: PolicyCall,
  { reads, writes, removes = [] }: Extract<Touch, { kind: 'files' }>,
  workspace: Workspace,
): ReadonlyArray<Unit> {
  const { toolName } = call;
  const at = (access: 'read' | 'edit') => (path: string) =>
    pathUnit(workspace, {
      path,
      cwd: workspace.root,
      access,
      toolName,
      isRemoved: access === 'edit' && removes.includes(path),
    });
  const refused = (writes.length > 1 ? workspace.containment.together?.(writes) : null) ?? null;
  const whole: Unit = {
    part: toolName,
    nature: 'read',
    because: 'what it touches is judged by itself',
    speaksOf: (rule) => speaksOfCall(rule, call),
    ...(refused === null ? {} : { forced: { decision: 'deny', reason: refused } }),
  };
  return [whole, ...reads.map(at('read')), ...writes.map(at('edit'))];
}

function callUnit(call: PolicyCall, touch: Exclude<Touch, { kind: 'command' | 'files' }>): Unit {
  const { toolName, readOnly } = call;
  const speaksOf = (rule: CompiledRule): boolean => speaksOfCall(rule, call);
  switch (touch.kind) {
    case 'unclear':
      return { part: toolName, nature: 'change', because: touch.reason, speaksOf };
    case 'url':
      return urlUnit(call, touch.url);
    case 'web':
      return {
        part: toolName,
        nature: 'network',
        because: 'it asks the web',
        speaksOf,
        suggestion: () => ruleNameOf(toolName),
      };
    case 'agent':
    case 'skill': {
      const { name } = touch;
      const byName = ({ rule, content }: CompiledRule): boolean =>
        content?.kind === 'name' && name !== null && namesTool(rule.tool, toolName) && matchesName(content.text, name);
      const because = touch.kind === 'agent' ? 'what an agent does is judged by itself' : 'a skill is text to read';
      const nature = touch.kind === 'agent' || readOnly === true ? 'read' : 'change';
      return { part: name ?? toolName, nature, because, speaksOf: (rule) => speaksOf(rule) || byName(rule) };
    }
    case 'nothing':
      return { part: toolName, nature: 'read', because: 'it changes nothing', speaksOf };
    case 'own':
      return ownUnit(call, speaksOf);
  }
}

function urlUnit(call: PolicyCall, url: string): Unit {
  const host = hostOf(url);
  const isKnown = call.isMentioned === true && host !== null;
  return {
    part: url,
    nature: isKnown ? 'read' : 'network',
    because: host === null ? 'it is not a web address' : `it reads from ${host}${isKnown ? ', as was asked' : ''}`,
    speaksOf: (rule) =>
      speaksOfCall(rule, call) ||
      (host !== null &&
        rule.content?.kind === 'host' &&
        namesTool(rule.rule.tool, call.toolName) &&
        rule.content.matches(host)),
    ...(host === null
      ? { forced: { decision: 'ask', reason: 'it is not a web address' } }
      : { suggestion: () => `WebFetch(domain:${host})` }),
  };
}

/** An MCP server's claim that a tool only reads is not simply believed. */
function ownUnit({ toolName, readOnly }: PolicyCall, speaksOf: Unit['speaksOf']): Unit {
  const foreign = toolName.startsWith('mcp__');
  if (readOnly === true && !foreign) return { part: toolName, nature: 'read', because: 'it changes nothing', speaksOf };
  return {
    part: toolName,
    nature: readOnly === true ? 'claimedRead' : 'change',
    because: foreign ? 'it is a tool of another program' : 'it may change something',
    speaksOf,
    suggestion: () => toolName,
  };
}

/** Both policies judge, and the stricter answer counts, whatever the child was allowed. */
function subset(around: Policy, given: PolicyOptions, { place, ...child }: ChildRights): Policy {
  const options = place === undefined ? given : placed(given, place);
  const parent = place === undefined ? around : around.at(place);
  const own = createPolicy({
    ...options,
    mode: child.mode ?? options.mode,
    rules: [...options.rules, ...(child.rules ?? [])],
  });
  const mayUse = (toolName: string): boolean =>
    child.tools === undefined || child.tools.some((name) => namesTool(name, toolName));
  return {
    ...own,
    judge: async (call) => {
      if (!mayUse(call.toolName))
        return { decision: 'deny', reason: `this agent was not given the tool ${call.toolName}`, part: call.toolName };
      return strictest([await parent.judge(call), await own.judge(call)]);
    },
    hides: (toolName) => !mayUse(toolName) || own.hides(toolName) || parent.hides(toolName),
    deniesReading: (file) => own.deniesReading(file) || parent.deniesReading(file),
    restrictsReading: own.restrictsReading || parent.restrictsReading,
    withMode: (mode) => subset(parent, options, { ...child, mode }),
    withRules: (rules) => subset(parent, options, { ...child, rules: [...(child.rules ?? []), ...rules] }),
    at: (next) => subset(parent, options, { ...child, place: next }),
    subsetFor: (grandchild) =>
      subset(subset(parent, options, child), options, {
        ...child,
        ...grandchild,
        rules: [...(child.rules ?? []), ...(grandchild.rules ?? [])],
      }),
  };
}
