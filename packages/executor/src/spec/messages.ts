import { done, failed, isRecord, messageOf, type Result } from '@attractor/base';
import type { Failure } from '../failure.ts';
import type { AgentSpec } from './agent-spec.ts';

export type Parameters = Readonly<Record<string, unknown>>;

/** Stdin holds nothing, or one JSON object. */
export function parseParameters(text: string): Result<Parameters, Failure<'invalid_parameters'>> {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '') return done({});
  try {
    const value: unknown = JSON.parse(trimmed);
    if (isRecord(value)) return done(value);
    return invalid(`stdin holds ${Array.isArray(value) ? 'an array' : typeof value}`);
  } catch (error) {
    return invalid(`stdin is not valid JSON (${messageOf(error)})`);
  }
}

/** The first message of a conversation: the file's own instructions, then the parameters. Never empty. */
export function firstMessage(spec: AgentSpec, parameters: Parameters): string {
  const parts = [spec.instructions, spec.initialPrompt ?? '', parameterText(parameters)].filter((part) => part !== '');
  return parts.length === 0 ? 'Begin.' : parts.join('\n\n');
}

/** The message that continues a finished conversation, which already has the instructions. */
export function laterMessage(parameters: Parameters): string {
  const text = parameterText(parameters);
  return text === '' ? 'Continue.' : `Continue with these parameters.\n\n${text}`;
}

function parameterText(parameters: Parameters): string {
  if (Object.keys(parameters).length === 0) return '';
  return `## Parameter values\n\n\`\`\`json\n${JSON.stringify(parameters, null, 2)}\n\`\`\``;
}

function invalid(what: string): { readonly ok: false; readonly error: Failure<'invalid_parameters'> } {
  const message = `${what}: expected one JSON object of parameters such as {"TASK_FILE":"tasks/a.md"}, or nothing.`;
  return failed({ code: 'invalid_parameters', message, retryable: false });
}
