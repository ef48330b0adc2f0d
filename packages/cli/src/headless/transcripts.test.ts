import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '@attractor/base/testing';
import { describe, expect, it } from 'vitest';
import { mirrorAt, newestTranscript, transcriptOf } from './transcripts.ts';

const ID = '0b5a1c2e-7d3f-4a6b-8c9d-0123456789ab';

describe('transcripts of Claude Code', () => {
  it('have the folder that the Agent SDK expects, also for a long path and a chosen name', () => {
    const config = makeFolder();
    const cwd = path.join(makeFolder(), 'a b.ü');
    mkdirSync(cwd);
    const env = { CLAUDE_CONFIG_DIR: config };
    const folderOf = (about: { readonly cwd: string; readonly env: Readonly<Record<string, string>> }) =>
      path.relative(path.join(config, 'projects'), path.dirname(mirrorAt(about).fileOf(ID)));
    expect(folderOf({ env, cwd })).toBe(cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'));
    const long = path.join(cwd, 'x'.repeat(120), 'y'.repeat(120));
    mkdirSync(long, { recursive: true });
    expect(folderOf({ env, cwd: long })).toMatch(/^[a-zA-Z0-9-]{200}-[0-9a-z]+$/);
    expect(folderOf({ env: { ...env, CLAUDE_CODE_PROJECT_DIR_NAME: 'mine' }, cwd })).toBe('mine');
    expect(folderOf({ env: { ...env, CLAUDE_CODE_PROJECT_DIR_NAME: '../out' }, cwd })).not.toContain('..');
  });

  it('are found by a whole id alone, wherever they are', () => {
    const config = makeFolder();
    const place = { env: { CLAUDE_CONFIG_DIR: config }, cwd: makeFolder() };
    const file = path.join(config, 'projects', 'any', `${ID}.jsonl`);
    expect(transcriptOf(ID, place)).toBeNull();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `{"type":"user","uuid":"u1"}\n{"type":"user","uuid":"u2","isSidechain":true}\ntorn\n`);
    writeFileSync(path.join(config, 'projects', 'secret.jsonl'), '');
    expect(transcriptOf(ID, place)).toBe(file);
    expect([ID.slice(0, 8), '../secret', ''].map((id) => transcriptOf(id, place))).toEqual([null, null, null]);
    expect(mirrorAt(place).namesIn(ID)).toEqual(new Set(['u1']));
    expect(mirrorAt(place).fileOf(ID)).toBe(file);
    expect(newestTranscript(place)).toBeNull();
  });
});
