import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { builtCommand, builtFiles } from './build.mjs';
import { Failure } from './failure.mjs';
import { npmCommand } from './npm.mjs';
import { run } from './run.mjs';

/** What is installed beside the command because a bundle can't contain it: a program. Everything else is inside. */
const BESIDE = ['@vscode/ripgrep'];

const PAGES = ['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];

/**
 * Packs the built command, the web app and the pages for users into a tarball for `npm install -g`. Call it under the preparation lock,
 * after the build. Returns the tarball's path; a failure throws a Failure.
 */
export async function makeTarball(root, folder) {
  const made = mkdtempSync(join(tmpdir(), 'attractor-pack-'));
  try {
    const stage = join(made, 'package');
    placeProgram(root, stage);
    placePages(root, stage);
    const manifest = manifestFor(root);
    writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const argv = [...npmCommand(), 'pack', stage, '--pack-destination', made, '--loglevel=error'];
    const { code, output } = await run(argv, { cwd: made });
    if (code !== 0) throw new Failure(`npm could not pack the command.\n${output.trim()}`);
    return deliver(join(made, `${manifest.name}-${manifest.version}.tgz`), folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** The other commands are beside the built one, which they load; it needs no stand-in here. */
function placeProgram(root, stage) {
  const dist = dirname(builtCommand(root));
  for (const name of builtFiles(root)) cpSync(join(dist, name), join(stage, 'dist', name));
  const bin = join(dirname(dist), 'bin');
  for (const name of readdirSync(bin)) {
    const target = join(stage, 'dist', name);
    if (!existsSync(target)) cpSync(join(bin, name), target);
  }
}

function placePages(root, stage) {
  const manual = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const pages = [...PAGES, ...manual.map((name) => join('docs', name))];
  for (const page of pages) cpSync(join(root, page), join(stage, page));
  for (const page of pages.filter((name) => name.endsWith('.md'))) {
    const file = join(stage, page);
    writeFileSync(file, withoutLinksOutside(readFileSync(file, 'utf8'), dirname(file)));
  }
}

/** A link to something that only a checkout has becomes its text. */
function withoutLinksOutside(text, folder) {
  return text.replaceAll(/\[([^\]]+)\]\((?![a-z]+:|#)([^)#]+)[^)]*\)/g, (link, words, path) =>
    existsSync(join(folder, path)) ? link : words,
  );
}

function manifestFor(root) {
  const { version, description, license, optionalDependencies } = readJson(join(root, 'package.json'));
  const { bin } = readJson(join(root, 'packages', 'cli', 'package.json'));
  const { packages } = readJson(join(root, 'package-lock.json'));
  return {
    name: 'attractor',
    version,
    description,
    license,
    type: 'module',
    bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, `dist/${basename(file)}`])),
    dependencies: Object.fromEntries(BESIDE.map((name) => [name, packages[`node_modules/${name}`].version])),
    optionalDependencies,
    engines: { node: '>=20' },
  };
}

function deliver(tarball, folder) {
  const target = join(folder, basename(tarball));
  try {
    copyFileSync(tarball, target);
  } catch (error) {
    throw new Failure(`The tarball could not be written: ${error.message}`);
  }
  return target;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
