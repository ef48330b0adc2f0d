import { isRecord } from '@attractor/base';
import type { SessionConfig } from '@attractor/agent';
import { CommandFailure, EXIT } from '@attractor/console';

/** The part of a session's configuration that affects one tool call; other fields are ignored. */
export type ToolConfig = Pick<SessionConfig, 'toolOutputLimits' | 'toolLineLimits' | 'defaultCommandTimeout'>;

/** Parses `--config`; a mistake stops the command, which says what was expected. */
export function parseToolConfig(text: string | undefined): ToolConfig {
  if (text === undefined) return {};
  const value = parse(text);
  if (!isRecord(value)) throw wrong('must be one JSON object such as {"toolOutputLimits":{"shell":1000}}');
  for (const [name, expected] of Object.entries(EXPECTED)) {
    if (value[name] !== undefined && !expected.holds(value[name])) throw wrong(`: ${name} must be ${expected.text}`);
  }
  return value;
}

const EXPECTED: Readonly<
  Record<keyof ToolConfig, { readonly text: string; readonly holds: (value: unknown) => boolean }>
> = {
  toolOutputLimits: { text: 'an object of tool names and characters', holds: isLimits },
  toolLineLimits: { text: 'an object of tool names and lines', holds: isLimits },
  defaultCommandTimeout: { text: 'a positive number of milliseconds', holds: (value) => isCount(value) && value !== 0 },
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('is not valid JSON');
  }
}

function isLimits(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isCount);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function wrong(what: string): CommandFailure {
  return new CommandFailure(`--config ${what}.`, EXIT.usage);
}
