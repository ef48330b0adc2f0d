import { defined, isRecord, messageOf } from '@attractor/base';
import {
  createLocalExecutionEnvironment,
  type ExecutionEnvironment,
  hideSecrets,
  type LocalEnvironmentOptions,
} from '@attractor/agent';
import { EnvironmentError } from '@attractor/system';
import { runFileTool, type FileToolAnswer } from './run.ts';

export type FileToolsRequest = {
  readonly workspaceRoot: string;
  /** `{"tool": name, …arguments}`. */
  readonly text: string;
  readonly signal?: AbortSignal;
};

/** `fault` says whether the request was never run, or its tool failed. */
export type RequestAnswer = FileToolAnswer & { readonly fault?: 'request' | 'workspace' };

/** The answer of the program `file-tools` to one request. */
export async function answerRequest({ workspaceRoot, text, signal }: FileToolsRequest): Promise<RequestAnswer> {
  const request = parse(text);
  if ('problem' in request) return refused('invalid_arguments', request.problem, 'request');
  const opened = await openWorkspace(workspaceRoot);
  if ('problem' in opened) return refused('file_not_found', opened.problem, 'workspace');
  try {
    const call = { name: request.tool, input: request.input, ...defined({ signal }) };
    return await runFileTool(call, opened.environment);
  } finally {
    await opened.environment.cleanup();
  }
}

type WorkspaceLimits = Pick<LocalEnvironmentOptions, 'sandbox'> & {
  /** More files and folders that the tools refuse. */
  readonly denyRead?: ReadonlyArray<string>;
};

/**
 * The workspace as the file tools see it; no path leads out of it. If it contains the home folder, its keys, tokens and histories are
 * refused. With a `sandbox`, so is everything that can't be read inside it.
 */
export async function openWorkspace(
  workspaceRoot: string,
  { sandbox, denyRead = [] }: WorkspaceLimits = {},
): Promise<{ readonly environment: ExecutionEnvironment } | { readonly problem: string }> {
  try {
    const environment = createLocalExecutionEnvironment(workspaceRoot, 'inherit_core', { sandbox });
    await environment.initialize();
    return { environment: hideSecrets(environment, { denyRead }) };
  } catch (error) {
    if (error instanceof EnvironmentError) return { problem: error.message };
    throw error;
  }
}

type Parsed =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

const EXPECTED = 'expected one JSON object such as {"tool":"file.read","path":"README.md"}';

function parse(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || typeof value['tool'] !== 'string')
      return { problem: `The request has no tool: ${EXPECTED}.` };
    const { tool, ...input } = value;
    return { tool, input };
  } catch (error) {
    const detail = messageOf(error);
    return { problem: `The request is not valid JSON (${detail}): ${EXPECTED}.` };
  }
}

function refused(error: string, message: string, fault: 'request' | 'workspace'): RequestAnswer {
  return { output: JSON.stringify({ error, message }), isError: true, fault };
}
