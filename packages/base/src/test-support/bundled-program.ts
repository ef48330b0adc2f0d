import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const bundled = new Map<string, string>();

/** A program of the tests as one file, made when it is first asked for: it starts in a quarter of the CPU time that its sources take. */
export function bundledProgram(file: string): string {
  const made = bundled.get(file) ?? bundle(file);
  bundled.set(file, made);
  return made;
}

function bundle(file: string): string {
  const outfile = path.join(mkdtempSync(path.join(tmpdir(), 'program-')), `${path.basename(file, '.ts')}.mjs`);
  const form = [
    '--bundle',
    '--minify-whitespace',
    // What throws is shown with its line.
    '--line-limit=200',
    '--platform=node',
    '--format=esm',
    `--banner:js=${REQUIRE}`,
    '--log-level=error',
  ];
  // As a program: esbuild as a library leaves a process of its own to the tests of other files.
  const esbuild = createRequire(import.meta.url).resolve('esbuild/bin/esbuild');
  execFileSync(esbuild, [file, `--outfile=${outfile}`, ...form], { stdio: ['ignore', 'ignore', 'inherit'] });
  return outfile;
}

/** For libraries that are CommonJS. */
const REQUIRE = `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);`;
