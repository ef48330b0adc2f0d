import { lstatSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { defined } from '@attractor/base';
import { type ApprovalAnswer, commandOf, contentHash, createPolicy, type Decision, reasonOf } from '@attractor/policy';
import { createRedactor, secretValues } from '@attractor/redact';
import type { AgentRunOptions } from '../agent.ts';
import { redactApproval } from '../redact-approval.ts';
import { isRunTool } from '../run-tools/run-tools.ts';

/** A call that a foreign agent wants to make, under the names that our own tools have where it is one of them. */
export type ForeignCall = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Files that it reads or changes and that its arguments don't name. */
  readonly places?: ReadonlyArray<string>;
  readonly shown?: string;
  readonly reason?: string;
};

export type CallJudgement = { readonly decision: Decision; readonly reason: string };

export type CallAnswer =
  | { readonly allowed: true; readonly input?: Readonly<Record<string, unknown>> }
  | { readonly allowed: false; readonly message: string };

/**
 * What a foreign agent may do: the same rules, the same mode and the same containment as for our own tools. `judge` asks nobody; `decide`
 * asks a person where the rules say so.
 */
export type CallJudge = {
  readonly judge: (call: ForeignCall) => Promise<CallJudgement>;
  readonly decide: (call: ForeignCall) => Promise<CallAnswer>;
};

export function createCallJudge(options: AgentRunOptions): CallJudge {
  const { projectPath, setup, sandbox, env, readOnly, config } = options;
  const environment = createLocalExecutionEnvironment(projectPath, 'inherit_none', { variables: () => ({ ...env }) });
  const home = setup?.userHome ?? env['HOME'] ?? '/';
  const refuses = (file: string, access: 'read' | 'write' | 'remove'): string | null =>
    environment.refuses?.(file, access) ?? whyNotAFile(projectPath, file, access);
  const policy = createPolicy({
    rules: setup?.rules ?? [],
    mode: readOnly ? 'plan' : modeOf(options),
    root: projectPath,
    home,
    sandboxed: true,
    checks: sandbox === undefined ? [] : (options.checks ?? []),
    variables: env,
    containment: { tools: refuses, ...(sandbox === undefined ? {} : { commands: sandbox.refuses }) },
  });
  const judge: CallJudge['judge'] = async (call) => {
    if (isRunTool(call.toolName)) return { decision: 'allow', reason: 'it reports to the run' };
    const args = plainPaths(call.args, home);
    const elsewhere = whyNotThere(args, refuses);
    if (elsewhere !== null) return { decision: 'deny', reason: `Blocked: ${call.toolName} in ${elsewhere}.` };
    const named = [...(call.places ?? []).map((file) => plainPath(file, home)), ...pathsOf(args)];
    const access = READING.has(call.toolName) ? 'read' : 'write';
    for (const file of named.flatMap((one) => formsOf(projectPath, one))) {
      const why = refuses(file, access) ?? whyNotRead(projectPath, file, call.toolName);
      if (why !== null) return { decision: 'deny', reason: `Blocked: ${call.toolName} of ${file}: ${why}.` };
    }
    return policy.judge({ toolName: call.toolName, args });
  };
  const decide: CallJudge['decide'] = async (call) => {
    const { decision, reason } = await judge(call);
    if (decision === 'allow') return { allowed: true };
    if (decision === 'deny' || config.permissionMode === 'dontAsk') return { allowed: false, message: reason };
    const answer = await ask(options, call, reason);
    if (answer.decision !== 'approve') return { allowed: false, message: reasonOf(answer) };
    // Meanwhile a name may lead elsewhere, and the person may have changed what is to be done.
    const after = await judge({ ...call, args: answer.input ?? call.args });
    if (after.decision === 'deny') return { allowed: false, message: after.reason };
    return { allowed: true, ...defined({ input: answer.input }) };
  };
  return { judge, decide };
}

function modeOf({ config, setup }: AgentRunOptions) {
  const wanted = config.permissionMode ?? 'acceptEdits';
  return wanted === 'bypassPermissions' && setup?.isBypassDisabled === true ? 'acceptEdits' : wanted;
}

function ask(options: AgentRunOptions, call: ForeignCall, why: string): Promise<ApprovalAnswer> {
  const { toolCallId, toolName, args, shown, reason = why } = call;
  const redactor = createRedactor({ secrets: secretValues(options.env) });
  const request = { toolCallId, toolName, input: args, command: commandOf(args), reason };
  return options.approve(
    redactApproval(redactor, {
      ...request,
      contentHash: contentHash({ toolName, args }),
      ...(shown === undefined ? {} : { shown }),
    }),
  );
}

/** Tools that only look, under the names that programs give them; every other tool with a path may change it. */
const READING: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead', 'read_file', 'list_dir']);

const PATH_NAMES = [
  'file_path',
  'path',
  'absolute_path',
  'notebook_path',
  'dir_path',
  'directory',
  'filePath',
  'filepath',
  'abs_path',
  'new_path',
  'old_path',
  'source',
  'destination',
] as const;

function pathsOf(args: ForeignCall['args']): ReadonlyArray<string> {
  const named = PATH_NAMES.flatMap((name) => (typeof args[name] === 'string' ? [args[name]] : []));
  const { pattern } = args;
  // A pattern that begins elsewhere searches elsewhere.
  const roams = typeof pattern === 'string' && /^(?:\/|~|\.\.(?:\/|$))|\/\.\.(?:\/|$)/.test(pattern);
  return roams && args['path'] === undefined ? [...named, pattern.replace(/[*?[{].*$/, '') || '/'] : named;
}

/** Programs expand what our own tools take literally: `~`, and addresses of files. */
function plainPaths(args: ForeignCall['args'], home: string): ForeignCall['args'] {
  const plain = PATH_NAMES.flatMap((name) => {
    const value = args[name];
    return typeof value === 'string' ? [[name, plainPath(value, home)] as const] : [];
  });
  return { ...args, ...Object.fromEntries(plain) };
}

function plainPath(file: string, home: string): string {
  if (/^~(?:\/|$)/.test(file)) return path.join(home, file.slice(1));
  if (file.startsWith('~')) return `/home/${file.slice(1)}`;
  if (!/^file:/i.test(file)) return file;
  try {
    return fileURLToPath(file);
  } catch {
    return '/';
  }
}

/** Only a command has a folder of its own, which a path in it is relative to. */
function whyNotThere(
  args: ForeignCall['args'],
  refuses: (folder: string, access: 'read') => string | null,
): string | null {
  const { workdir } = args;
  const why = typeof workdir === 'string' ? refuses(workdir, 'read') : null;
  return why === null ? null : `${String(workdir)}: ${why}`;
}

/** As it is written, and as programs read it that cut `..` out of the text, or take off quotes, before they open anything. */
function formsOf(root: string, file: string): ReadonlyArray<string> {
  const bare = /^"(.+)"$/.exec(file)?.[1];
  return [file, ...(bare === undefined ? [] : [bare])].flatMap((form) => [form, path.resolve(root, form)]);
}

function whyNotRead(root: string, file: string, toolName: string): string | null {
  if (toolName !== 'Read' && toolName !== 'read_file') return null;
  const stats = lstatSync(path.resolve(root, file), { throwIfNoEntry: false });
  return stats?.isDirectory() === true ? 'it is a folder' : null;
}

/** A foreign program opens what is there as it is: a pipe would hang it, and a second name of a file may lie outside. */
function whyNotAFile(root: string, file: string, access: 'read' | 'write' | 'remove'): string | null {
  const stats = lstatSync(path.resolve(root, file), { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile() || stats.isDirectory() || stats.isSymbolicLink()) {
    const isShared = access === 'write' && stats?.isFile() === true && stats.nlink > 1;
    return isShared ? 'the file has a second name, which may lie elsewhere' : null;
  }
  return 'it is neither a file nor a folder';
}
