import path from 'node:path';
import type { TrustExamination } from '../trust/trust.ts';
import type { SettingAgent, SettingScope } from './origin.ts';
import type { SourceForm } from './source.ts';
import { NO_SOURCES, type Sources, type TextReading, together, withExtended } from './user-files.ts';

type RepositoryFile = {
  readonly path: string;
  readonly form: SourceForm;
  readonly agent: SettingAgent;
  readonly scope: SettingScope;
  /** Not read if this file exists. */
  readonly unless?: string;
};

/** Weakest first. A name that ends with `*` and an extension matches every such file of its folder. */
const FILES: ReadonlyArray<RepositoryFile> = [
  { path: '.cursor/cli.json', form: 'cursor', agent: 'cursor', scope: 'project' },
  { path: '.qwen/settings.json', form: 'qwen', agent: 'qwen', scope: 'project' },
  { path: 'opencode.json', form: 'opencode', agent: 'opencode', scope: 'project' },
  { path: 'opencode.jsonc', form: 'opencode', agent: 'opencode', scope: 'project' },
  { path: '.opencode/opencode.json', form: 'opencode', agent: 'opencode', scope: 'project' },
  { path: '.opencode/opencode.jsonc', form: 'opencode', agent: 'opencode', scope: 'project' },
  { path: '.gemini/settings.json', form: 'gemini', agent: 'gemini', scope: 'project' },
  { path: '.gemini/policies/*.toml', form: 'gemini-policy', agent: 'gemini', scope: 'project' },
  { path: '.codex/config.toml', form: 'codex', agent: 'codex', scope: 'project' },
  { path: '.codex/hooks.json', form: 'codex-hooks', agent: 'codex', scope: 'project' },
  { path: '.codex/rules/*.rules', form: 'codex-rules', agent: 'codex', scope: 'project' },
  { path: '.mcp.json', form: 'mcp', agent: 'claude-code', scope: 'project' },
  { path: '.claude/settings.json', form: 'claude', agent: 'claude-code', scope: 'project' },
  {
    path: '.agents-manager/config.json',
    form: 'lenient',
    agent: 'attractor',
    scope: 'project',
    unless: '.attractor/config.json',
  },
  { path: '.attractor/config.json', form: 'own', agent: 'attractor', scope: 'project' },
  { path: '.claude/settings.local.json', form: 'claude', agent: 'claude-code', scope: 'local' },
  { path: '.attractor/config.local.json', form: 'own', agent: 'attractor', scope: 'local' },
];

/**
 * The settings files of a repository, from the bytes that trust was decided on. `known` are files that were read as the person's own: if
 * the home folder is itself a repository, they are not read again.
 */
export function repositorySources(trust: TrustExamination, known: ReadonlySet<string>): Sources {
  const texts = new Map(trust.files.map((file) => [path.join(trust.root, file.path), file.content]));
  const read = (file: string): TextReading => {
    const text = texts.get(file);
    const message = 'is not part of the configuration of the repository (.json files under .attractor)';
    return text === undefined ? { ok: false, isAbsent: false, message } : { ok: true, text };
  };
  return together(
    FILES.flatMap((file) => named(file, trust)).map(({ path: name, form, agent, scope, unless }) => {
      const file = path.join(trust.root, name);
      const text = texts.get(file);
      const isReplaced = unless !== undefined && texts.has(path.join(trust.root, unless));
      if (text === undefined || isReplaced || known.has(file)) return NO_SOURCES;
      return withExtended({ form, text, origin: { scope, agent, file, line: null, name: null } }, read, []);
    }),
  );
}

function named(file: RepositoryFile, { files }: TrustExamination): ReadonlyArray<RepositoryFile> {
  const [folder = '', ending] = file.path.split('*');
  if (ending === undefined) return [file];
  return files
    .filter(({ path: name }) => path.posix.dirname(name) === path.posix.dirname(`${folder}x`) && name.endsWith(ending))
    .map(({ path: name }) => ({ ...file, path: name }));
}
