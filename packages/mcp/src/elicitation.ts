import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';

/** A server asks the person something, or wants them to visit a page. */
export type McpElicitation = {
  readonly server: string;
  readonly message: string;
  readonly signal: AbortSignal;
} & (
  | { readonly mode: 'form'; readonly requestedSchema: Readonly<Record<string, unknown>> }
  | { readonly mode: 'url'; readonly url: string; readonly id: string }
);

export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' };

/** Asks a person. Fields that they leave out get the defaults of the schema. */
export type McpElicit = (request: McpElicitation) => Promise<McpElicitationAnswer>;

/** Without anybody to ask, and if asking fails, the answer is no. */
export async function answerElicitation(
  elicit: McpElicit | undefined,
  server: string,
  { params, signal }: { readonly params: ElicitRequest['params']; readonly signal: AbortSignal },
): Promise<ElicitResult> {
  if (elicit === undefined) return { action: 'decline' };
  const asked = { server, message: params.message, signal };
  try {
    const answer = await elicit(
      params.mode === 'url'
        ? { ...asked, mode: 'url', url: params.url, id: params.elicitationId }
        : { ...asked, mode: 'form', requestedSchema: { ...params.requestedSchema } },
    );
    if (answer.action !== 'accept') return { action: answer.action };
    return { action: 'accept', ...(params.mode === 'url' ? {} : { content: { ...answer.content } }) };
  } catch {
    return { action: 'cancel' };
  }
}
