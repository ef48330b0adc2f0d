import { parse } from 'smol-toml';
import { isRecord } from '@attractor/base';
import { type TemplateForm, templateParts } from '../template/template.ts';

type TextFile = { readonly path: string; readonly content: string };

/**
 * What hooks and MCP servers say in the settings files of a repository: their command lines and words, and whatever stands beside them;
 * those in the heads of agents, skills and commands; and the commands that these run before they are read. It needs no reader of any agent's format: keys of these names are
 * looked for at any depth, and of a text that can't be parsed every string counts.
 */
export function runTexts(files: ReadonlyArray<TextFile>): ReadonlyArray<string> {
  return files.flatMap(({ path, content }) => {
    if (path === '.codex/config.toml') return tomlTexts(content);
    if (path.endsWith('.md')) return [...commandsIn(content, 'claude'), ...headTexts(content)];
    if (path.startsWith('.gemini/commands/')) return commandsIn(content, 'gemini');
    return /\.jsonc?$/.test(path) ? textsOf(content) : [];
  });
}

function commandsIn(content: string, form: TemplateForm): ReadonlyArray<string> {
  return templateParts(content, form).flatMap(({ kind, text }) => (kind === 'command' ? [text] : []));
}

/** Every line of a head that has hooks or servers, as it stands and as a list of words: a head has many ways to write both. */
function headTexts(content: string): ReadonlyArray<string> {
  const head = /^---\r?\n([^]*?)\r?\n---/.exec(content)?.[1] ?? '';
  if (!/^(?:hooks|mcpServers|mcp_servers)\s*:/m.test(head)) return [];
  const lines = head.split('\n').map((line) => line.replace(/^[\s-]*(?:[\w.-]+\s*:\s*)?/, '').trim());
  return lines
    .filter(Boolean)
    .flatMap((line) => [line.replace(/^(["'])(.*)\1$/, '$2'), line.replaceAll(/[[\]{},"']/g, ' ')]);
}

const KEYS: ReadonlySet<string> = new Set(['hooks', 'mcpServers', 'mcp', 'mcp_servers']);

function textsOf(content: string): ReadonlyArray<string> {
  try {
    const value: unknown = JSON.parse(plainJson(content));
    return below(value);
  } catch {
    return quotedIn(content);
  }
}

function tomlTexts(content: string): ReadonlyArray<string> {
  try {
    return below(parse(content));
  } catch {
    return quotedIn(content);
  }
}

/** Without the comments, and the commas before a closing bracket, that some agents allow. */
function plainJson(content: string): string {
  const kept = (_all: string, text: string | undefined): string => text ?? ' ';
  return content
    .replace(/^\ufeff/, '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, kept)
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, kept);
}

function below(value: unknown): ReadonlyArray<string> {
  if (Array.isArray(value)) return value.flatMap(below);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => (KEYS.has(key) ? allIn(inner) : below(inner)));
}

function allIn(value: unknown): ReadonlyArray<string> {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(allIn);
  return isRecord(value) ? Object.values(value).flatMap(allIn) : [];
}

function quotedIn(content: string): ReadonlyArray<string> {
  const quoted = [...content.matchAll(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g)];
  return quoted.map(([text]) => unescaped(text) ?? text.slice(1, -1));
}

function unescaped(text: string): string | null {
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}
