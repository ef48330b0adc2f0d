import { isRecord } from '@attractor/base';
import { type ToolDefinition, validateArguments } from '@attractor/agent';
import { FileToolError } from './failure.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** Renames arguments as the schema spells them (`start_line` means `startLine`) and checks them against it. */
export async function readArguments(definition: ToolDefinition, given: Arguments): Promise<Arguments> {
  const args = respell(definition.parameters, given);
  const problems = await validateArguments(definition, isRecord(args) ? args : {});
  if (problems.length === 0 && isRecord(args)) return args;
  throw new FileToolError(
    'invalid_arguments',
    `${definition.name} was not run: ${problems.map((problem) => problem.replace(/\.$/, '')).join('; ')}. Send the call again with arguments that fit its schema.`,
  );
}

export function requiredText(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value === 'string') return value;
  throw new FileToolError('invalid_arguments', `${name} must be a string.`);
}

export function optionalText(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A whole number of at least `least`. */
export function optionalCount(args: Arguments, name: string, least: number): number | undefined {
  const value = args[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw new FileToolError('invalid_arguments', `${name} must be a whole number of ${least} or more.`);
}

/** Only names that the schema has in camel case are changed. */
function respell(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => respell(schema['items'], item));
  const known = schema['properties'];
  if (!isRecord(value) || !isRecord(known)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = camelCase(key);
      return Object.hasOwn(known, name) ? [name, respell(known[name], item)] : [key, item];
    }),
  );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
