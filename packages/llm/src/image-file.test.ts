import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageFromFile } from './image-file.ts';
import { PIXEL } from './test-support/broken-histories.ts';

describe('an image from a file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'llm-image-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('carries the bytes and the type that they show, whatever the name says', async () => {
    const path = join(folder, 'picture.txt');
    await writeFile(path, Buffer.from(PIXEL, 'base64'));
    expect(await imageFromFile(path, 'high')).toEqual({
      kind: 'IMAGE',
      source: { data: PIXEL, mediaType: 'image/png' },
      detail: 'high',
    });
  });

  it('is refused with a reason when there is no file, or no image in it', async () => {
    const path = join(folder, 'note.png');
    await writeFile(path, 'text');
    await expect(imageFromFile(path)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('PNG'),
    });
    await expect(imageFromFile(join(folder, 'none.png'))).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('none.png'),
    });
  });
});
