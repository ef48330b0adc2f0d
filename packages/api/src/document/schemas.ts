import { z } from 'zod';

export type JsonSchema = { readonly [Name in string]?: unknown };

/** The schemas of a document. Those with a name are described once, and referred to from everywhere else. */
export type Schemas = {
  /** `input`: what a caller sends; `output`: what comes back. */
  readonly of: (schema: z.ZodType, io: 'input' | 'output') => JsonSchema;
  readonly named: () => Readonly<Record<string, JsonSchema>>;
};

export function createSchemas(): Schemas {
  const named = new Map<string, JsonSchema>();
  return {
    of: (schema, io) => {
      const made = z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => tidy(jsonSchema, io),
      });
      const { $schema: _dialect, $defs, ...own } = made;
      for (const [name, inner] of Object.entries($defs ?? {})) named.set(name, referring(inner));
      return referring(own);
    },
    named: () => Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Later versions may add fields to what comes back, so nobody is told that there are no others. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: 'input' | 'output'): void {
  delete schema.readOnly;
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.pattern !== undefined) schema.pattern = schema.pattern.replace(/\[\\s\\S\]\{0,\}\$$/, '');
}

function referring(schema: object): JsonSchema {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    name === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value,
  );
  const read: JsonSchema = JSON.parse(text);
  return read;
}
