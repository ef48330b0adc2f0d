/** An OpenAPI 3.1 document: the parts that are ours to promise. */
export type ApiDocument = {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [Name: string]: unknown;
};
