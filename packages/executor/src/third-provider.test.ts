import { describe, expect, it } from 'vitest';
import type { Provider, ProviderFactory, ProviderHost, ProviderResult, Response, ToolResult } from './provider.ts';
import { CONTRACT_DIALOGUES, type ContractDialogue, providerContract, type ProviderWorld } from './testing/index.ts';

/*
 * A third party's provider, complete in this file: the executor does not know it and needed no change for it.
 * Its service is a table in memory, which keeps sessions outside the provider, as a real service does.
 */

type Remembered = { readonly first: string; said: number };

function createTableProvider(dialogues: ReadonlyArray<ContractDialogue>): ProviderFactory {
  const service = new Map<string, Remembered>();
  return { id: 'table', open: (host) => openProvider(host, dialogues, service) };
}

function openProvider(
  host: ProviderHost,
  dialogues: ReadonlyArray<ContractDialogue>,
  service: Map<string, Remembered>,
): Provider {
  const next = (id: string, heard: ReadonlyArray<ToolResult>): ProviderResult<Response> => {
    const known = service.get(id);
    const reply = dialogues.find(({ first }) => first === known?.first)?.replies[known?.said ?? 0];
    if (known === undefined || reply === undefined) return failure(`nothing to say in ${id}`);
    const wanted = reply.heard;
    if (wanted !== undefined && !heard.some(({ output }) => output.includes(wanted)))
      return failure(`${wanted} was not heard`);
    known.said++;
    const toolCalls = (reply.reads ?? []).map((path, index) => {
      return { id: `${id}-${known.said}-${index}`, name: 'file.read', input: { path } };
    });
    return { ok: true, value: { text: reply.text, toolCalls, isComplete: toolCalls.length === 0 } };
  };
  let sessions = 0;
  return {
    createSession: async (agentSpec) => {
      const id = `table-${process.pid}-${service.size}-${++sessions}`;
      return { ok: true, value: { id, provider: 'table', agentSpec } };
    },
    sendMessage: async ({ id }, message) => {
      if (!service.has(id)) service.set(id, { first: message, said: 0 });
      return next(id, []);
    },
    submitToolResults: async ({ id }, results) => next(id, results),
    resumeSession: async (id) => {
      const value = service.has(id) ? { id, provider: 'table', agentSpec: host.agentSpec } : null;
      return { ok: true, value };
    },
  };
}

function failure(detail: string): ProviderResult<Response> {
  const message = 'The table has no answer: fix the table and try again.';
  return { ok: false, error: { code: 'InvalidResponseError', message, retryable: false, detail } };
}

function makeWorld(): ProviderWorld {
  return {
    provider: createTableProvider(CONTRACT_DIALOGUES),
    failing: { InvalidResponseError: createTableProvider([]) },
  };
}

describe('a third provider, made in one file', () => {
  it.each(providerContract(makeWorld))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
