import { serviceRow } from '../providers/table.ts';
import { LlmError } from '../types/error.ts';
import type { JsonSchema, ResponseFormat } from '../types/request.ts';
import { defaultClient } from './default-client.ts';
import type { GenerateOptions } from './options.ts';

export type ObjectOptions = Omit<
  GenerateOptions,
  'tools' | 'toolChoice' | 'responseFormat' | 'maxToolRounds' | 'stopWhen' | 'repairToolCall'
> & {
  /** The root must be an object. */
  readonly schema: JsonSchema;
  readonly schemaName?: string;
  readonly schemaDescription?: string;
};

/** Providers that make a model answer in a schema; for every other one the answer is the arguments of a forced tool call. */
const NATIVE_SCHEMA: ReadonlySet<string> = new Set(['openai', 'gemini']);

export const EXTRACT_TOOL = 'extract_object';

/** How an object is requested depends on the provider, and is decided only here. */
export async function planObject(options: ObjectOptions): Promise<GenerateOptions> {
  const { schema, schemaName, schemaDescription: _, ...rest } = options;
  if (schema['type'] !== 'object') {
    const message = 'The schema of an object must have "type": "object" at its root. Wrap other values in an object.';
    throw new LlmError({ code: 'invalid_request', message, retryable: false });
  }
  const { id } = await (options.client ?? defaultClient()).provider(options.provider);
  if (NATIVE_SCHEMA.has(id)) return { ...rest, responseFormat: nativeFormat(schema, schemaName) };
  return { ...rest, ...toolExtraction(options, mayForce(id, options) ? 'forced' : 'told'), maxToolRounds: 0 };
}

function nativeFormat(schema: JsonSchema, name: string | undefined): ResponseFormat {
  return { type: 'json_schema', schema, name: name ?? 'object', strict: isStrict(schema) };
}

/** A thinking model may not be forced to call a tool, and some services can't force one. */
function mayForce(id: string, { reasoningEffort }: ObjectOptions): boolean {
  const choices = serviceRow(id)?.toolChoices;
  return reasoningEffort === undefined && (choices === undefined || choices.includes('named'));
}

/** Told or forced, the model's output is validated against the schema either way. */
function toolExtraction(
  options: ObjectOptions,
  how: 'forced' | 'told',
): Pick<GenerateOptions, 'tools' | 'toolChoice' | 'system'> {
  const description = options.schemaDescription ?? 'Gives the answer as one object. Call it exactly once.';
  const tools = [{ name: EXTRACT_TOOL, description, parameters: options.schema }];
  if (how === 'forced') return { tools, toolChoice: { toolName: EXTRACT_TOOL } };
  const order = `Answer only by calling the tool ${EXTRACT_TOOL}.`;
  return { tools, toolChoice: 'auto', system: options.system === undefined ? order : `${options.system}\n\n${order}` };
}

/** Strict mode is refused unless every object lists all its properties as required and allows no others. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  return isClosed(schema) && Object.values(schema).every(isStrict);
}

function isClosed(schema: object): boolean {
  if (!('type' in schema) || schema.type !== 'object') return true;
  const properties =
    'properties' in schema && typeof schema.properties === 'object' ? Object.keys(schema.properties ?? {}) : [];
  const required: ReadonlyArray<unknown> =
    'required' in schema && Array.isArray(schema.required) ? schema.required : [];
  const closed = 'additionalProperties' in schema && schema.additionalProperties === false;
  return closed && properties.every((name) => required.includes(name));
}
