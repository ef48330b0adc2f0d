import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The packages, and of the large ones the rooms, of which a bundle of this one import holds code. */
async function roomsIn(source: string): Promise<ReadonlyArray<string>> {
  const { metafile } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    absWorkingDir: root,
    external: ['node:*'],
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const files = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  return [
    ...new Set(
      files.map(
        (file) =>
          /^(?:packages\/(?:agent|store)\/src\/[^/]+|packages\/[^/]+|node_modules\/[^/]+)/.exec(file)?.[0] ?? file,
      ),
    ),
  ];
}

describe('whoever uses one function of a package ships no more than it needs', () => {
  it.each([
    [
      'truncateToolOutput',
      '@attractor/agent',
      ['packages/agent/src/truncation', 'packages/patch', 'packages/system', 'packages/tool-table'],
    ],
    ['readEvent', '@attractor/store/types', ['packages/store/src/types']],
    ['redactText', '@attractor/redact', ['packages/redact']],
    // What a noun's routes take and do belongs to servers.
    [
      'createApiClient',
      '@attractor/api',
      ['node_modules/eventsource-parser', 'packages/api', 'packages/store/src/types'],
    ],
  ])('%s of %s', async (name, from, rooms) => {
    const found = await roomsIn(`import { ${name} } from '${from}'; console.log(${name});`);
    const isRoom = (file: string): boolean => file !== '<stdin>' && file !== 'packages/base';
    expect(found.filter(isRoom).toSorted()).toEqual(rooms);
  });
});
