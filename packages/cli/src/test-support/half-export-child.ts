import { writeWhole } from '../run-bundle/whole-file.ts';

/** Writes the first bytes of a file, says so, and waits for its end. */
async function* half(): AsyncGenerator<Uint8Array> {
  yield Buffer.from([0x1f, 0x8b, 8, 0]);
  process.stdout.write('half\n');
  await new Promise(() => setInterval(() => undefined, 1000));
}

await writeWhole(process.argv[2] ?? '', half(), false);
