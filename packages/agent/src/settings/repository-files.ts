import path from 'node:path';
import type { TrustExamination } from '../trust/trust.ts';
import type { SettingAgent, SettingScope } from './origin.ts';
import type { SourceForm } from './read-source.ts';
import { NO_SOURCES, type Sources, type TextReading, together, withExtended } from './user-files.ts';

type RepositoryFile = {
  readonly path: string;
  readonly form: SourceForm;
  readonly agent: SettingAgent;
  readonly scope: SettingScope;
  /** Not read where this file is. */
  readonly unless?: string;
};

/** Weakest first. */
const FILES: ReadonlyArray<RepositoryFile> = [
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
 * The settings files of a repository, from the bytes that trust was decided on. `known` are files that were read as the person's own:
 * where the home folder is a repository itself, they are not read again.
 */
export function repositorySources(trust: TrustExamination, known: ReadonlySet<string>): Sources {
  const texts = new Map(trust.files.map((file) => [path.join(trust.root, file.path), file.content]));
  const read = (file: string): TextReading => {
    const text = texts.get(file);
    const message = 'is not part of the configuration of the repository (.json files under .attractor)';
    return text === undefined ? { ok: false, isAbsent: false, message } : { ok: true, text };
  };
  return together(
    FILES.map(({ path: name, form, agent, scope, unless }) => {
      const file = path.join(trust.root, name);
      const text = texts.get(file);
      const isReplaced = unless !== undefined && texts.has(path.join(trust.root, unless));
      if (text === undefined || isReplaced || known.has(file)) return NO_SOURCES;
      return withExtended({ form, text, origin: { scope, agent, file, line: null, name: null } }, read, []);
    }),
  );
}
