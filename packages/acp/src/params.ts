import { statSync } from 'node:fs';
import path from 'node:path';
import type { ContentBlock, McpServer } from '@agentclientprotocol/sdk/unstable';
import { isRecord } from '@attractor/base';
import { RpcError } from '@attractor/rpc';

export type Params = Readonly<Record<string, unknown>>;

const INVALID = -32602;

export function textOf(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string' || value === '') throw new RpcError(INVALID, `"${name}" must be a text.`);
  return value;
}

/** A folder that is there; an editor names it from the root. */
export function folderOf(params: Params): string {
  return checkedFolder(textOf(params, 'cwd'));
}

export function furtherFoldersOf({ additionalDirectories = [] }: Params): ReadonlyArray<string> {
  if (!Array.isArray(additionalDirectories)) throw new RpcError(INVALID, '"additionalDirectories" must be a list.');
  return additionalDirectories.map((folder) => checkedFolder(String(folder)));
}

function checkedFolder(folder: string): string {
  if (!path.isAbsolute(folder)) throw new RpcError(INVALID, `${folder} is not a path from the root.`);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new RpcError(INVALID, `${folder} is not a folder: make it first, or work in another one.`);
  return folder;
}

export function blocksOf({ prompt }: Params): ReadonlyArray<ContentBlock> {
  if (!Array.isArray(prompt) || !prompt.every(isBlock))
    throw new RpcError(INVALID, '"prompt" must be a list of content blocks.');
  return prompt;
}

const FIELDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data'],
  resource_link: ['uri', 'name'],
  resource: [],
};

function isBlock(value: unknown): value is ContentBlock {
  if (!isRecord(value)) return false;
  if (value['type'] === 'resource' && !(isRecord(value['resource']) && typeof value['resource']['uri'] === 'string'))
    return false;
  return FIELDS[String(value['type'])]?.every((name) => typeof value[name] === 'string') === true;
}

export function mcpServersOf({ mcpServers = [] }: Params): ReadonlyArray<McpServer> {
  if (!Array.isArray(mcpServers) || !mcpServers.every(isServer))
    throw new RpcError(INVALID, '"mcpServers" must be a list of servers with a name, and a command or a url.');
  return mcpServers;
}

function isServer(value: unknown): value is McpServer {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false;
  const { type, command, args = [], url, env = [], headers = [] } = value;
  if (type === 'acp') return true;
  if (type === 'http' || type === 'sse') return typeof url === 'string' && isPairs(headers);
  return type === undefined && typeof command === 'string' && Array.isArray(args) && isPairs(env);
}

function isPairs(value: unknown): boolean {
  return Array.isArray(value) && value.every((pair) => isRecord(pair) && typeof pair['value'] === 'string');
}
