import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { CHECKOUT, type Tree, type Violation } from './tree.ts';

const BUDGETS = new Set(['eslint(max-lines)', 'eslint(max-lines-per-function)', 'eslint(max-params)']);

interface Diagnostic {
  readonly code: string;
  readonly message: string;
  readonly filename: string;
  readonly labels: ReadonlyArray<{ readonly span: { readonly line: number } }>;
}

/** Budgets for files, functions and parameters. The numbers are in .oxlintrc.json; oxlint counts. */
export function budgets(tree: Tree): Violation[] {
  const oxlint = join(CHECKOUT, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const args = ['--config', join(CHECKOUT, '.oxlintrc.json'), '--format', 'json', '.'];
  const { stdout, stderr } = spawnSync(process.execPath, [oxlint, ...args], {
    cwd: tree.root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (!stdout.startsWith('{')) throw new Error(`oxlint gave no report: ${stdout}${stderr}`);
  const report: { diagnostics: Diagnostic[] } = JSON.parse(stdout);
  const over = report.diagnostics.filter(({ code }) => BUDGETS.has(code));
  return over.map(({ filename, message, labels }) => {
    const line = labels[0]?.span.line;
    return { file: filename, message, ...(line === undefined ? {} : { line }) };
  });
}
