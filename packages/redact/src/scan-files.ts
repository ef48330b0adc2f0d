import { createRedactor } from './redactor.ts';
import { NAME_KINDS } from './sensitive-names.ts';

export type ScannedFile = { readonly path: string; readonly content: string };

/** Where a secret is. It never contains the secret itself, so it may be shown and stored. */
export type SecretFinding = {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly kind: string;
  /** `likely`: found by the name that the value is assigned to, which an example in a test has as well. */
  readonly confidence: 'certain' | 'likely';
};

/** Searches whole files with our rules and with secretlint's, which is loaded on the first call. */
export async function scanForSecrets(files: Iterable<ScannedFile>): Promise<ReadonlyArray<SecretFinding>> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ]);
  // It keeps several marks of every file that was ever searched, and nobody reads them.
  secretLintProfiler.setEnabled(false);
  /* A file can't exempt itself by a comment. */
  const config = {
    rules: rules.filter((rule) => !rule.meta.id.includes('filter')).map((rule) => ({ id: rule.meta.id, rule })),
  };
  const redactor = createRedactor();
  const findings: SecretFinding[] = [];
  for (const { path, content } of files) {
    const own = redactor.inspect(content).spans;
    const ext = /\.[^./]+$/.exec(path)?.[0] ?? '';
    const source = { filePath: path, content, ext, contentType: 'text' as const };
    const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true } });
    const foreign = messages
      .filter(({ range: [start, end] }) => !own.some((span) => span.start < end && span.end > start))
      .map(({ range, messageId }) => ({ start: range[0], kind: messageId }));
    for (const { start, kind } of [...own, ...foreign].toSorted((a, b) => a.start - b.start)) {
      findings.push({ path, line: lineAt(content, start), kind, confidence: LIKELY.has(kind) ? 'likely' : 'certain' });
    }
  }
  return findings;
}

const LIKELY: ReadonlySet<string> = new Set(NAME_KINDS);

function lineAt(content: string, index: number): number {
  let line = 1;
  for (let at = content.indexOf('\n'); at !== -1 && at < index; at = content.indexOf('\n', at + 1)) line++;
  return line;
}
