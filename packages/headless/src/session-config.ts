import { isRecord } from '@attractor/base';
import type { SessionConfig } from '@attractor/agent';

type Expected = { readonly text: string; readonly holds: (value: unknown) => boolean };

const COUNT: Expected = { text: 'a whole number from 0 up', holds: isCount };
const MILLISECONDS: Expected = {
  text: 'a positive number of milliseconds',
  holds: (value) => isCount(value) && value !== 0,
};
const LIMITS: Expected = { text: 'an object of tool names and whole numbers', holds: isCounts };
const TEXT: Expected = { text: 'a text', holds: (value) => typeof value === 'string' };

/** What each field of a session's configuration takes. */
const FIELDS: Readonly<Record<keyof SessionConfig, Expected>> = {
  model: TEXT,
  provider: TEXT,
  maxToolRoundsPerInput: COUNT,
  maxTurns: COUNT,
  contextWindowSize: COUNT,
  toolOutputLimits: LIMITS,
  toolLineLimits: LIMITS,
  toolBudget: { text: 'an object with total and perTool', holds: isBudget },
  loopDetectionWindow: COUNT,
  maxSubagentDepth: COUNT,
  maxConcurrentSubagents: COUNT,
  defaultCommandTimeout: MILLISECONDS,
  networkPatienceMs: COUNT,
  userInstruction: TEXT,
  workingDirectory: TEXT,
  reasoningEffort: {
    text: 'a word such as low, medium or high',
    holds: (value) => typeof value === 'string' && value !== '',
  },
};

/** What is wrong with a configuration, or null. Unknown fields pass. */
export function configProblem(config: Readonly<Record<string, unknown>>): string | null {
  for (const [name, expected] of Object.entries(FIELDS)) {
    if (config[name] !== undefined && !expected.holds(config[name])) return `${name} must be ${expected.text}`;
  }
  return null;
}

/** Fields that no session has, such as misspelt ones. */
export function unknownFields(config: Readonly<Record<string, unknown>>): ReadonlyArray<string> {
  return Object.keys(config).filter((name) => !Object.hasOwn(FIELDS, name));
}

function isBudget(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { total, perTool } = value;
  return (total === undefined || isCount(total)) && (perTool === undefined || isCounts(perTool));
}

function isCounts(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isCount);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
