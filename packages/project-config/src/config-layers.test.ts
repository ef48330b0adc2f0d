import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createScriptedAgent } from '@attractor/adapters';
import { examineTrust, trustRepository } from '@attractor/settings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFolder, must, runs } from '@attractor/store/testing';
import { type ConfigQuery, explainRunConfig, mergeLayers } from './config-layers.ts';

function world(config: string): { readonly query: ConfigQuery; readonly trust: () => Promise<void> } {
  const [home, path] = [makeFolder(), makeFolder()];
  mkdirSync(join(path, '.git'));
  mkdirSync(join(path, '.attractor'));
  writeFileSync(join(path, '.attractor/config.json'), config);
  writeFileSync(
    join(home, 'config.json'),
    '{\n"agents": {\n"scripted": { "model": "home", "maxTurns": 7, "timeout": 70 } } }',
  );
  const agent = {
    ...createScriptedAgent([]),
    getDefaultConfig: () => ({ model: 'own', provider: 'own', branchPrefix: 'a/' }),
  };
  return {
    query: {
      agents: new Map([['scripted', agent]]),
      home,
      project: { path, config: {} },
      defaultAgentType: 'scripted',
    },
    trust: async () => {
      await trustRepository(examineTrust(path, { home }), { home });
    },
  };
}

describe('the configuration of a run', () => {
  it('takes each value from the last of five layers that has it, and says which and where', async () => {
    const { query, trust } = world(
      '{\n"git": { "branchPrefix": "team/" },\n"agents": { "scripted": {\n"model": "project", "maxTurns": 8 } } }',
    );
    await trust();
    const layered = must(
      await explainRunConfig({ ...query, hookParams: { maxTurns: 9, mode: 'plan' }, overrides: { autoCommit: false } }),
    );
    expect(layered.config).toEqual({
      model: 'project',
      provider: 'own',
      maxTurns: 9,
      timeout: 70,
      branchPrefix: 'team/',
      autoCommit: false,
    });
    const file = join(query.project.path, '.attractor/config.json');
    expect(layered.origins).toEqual({
      model: { layer: 'project', file, line: 4 },
      provider: { layer: 'agent' },
      maxTurns: { layer: 'hook' },
      timeout: { layer: 'home', file: join(query.home, 'config.json'), line: 3 },
      branchPrefix: { layer: 'project', file, line: 2 },
      autoCommit: { layer: 'run' },
    });
  });

  it('takes nothing from a repository that nobody trusted, and says so', async () => {
    const { query } = world('{"agents": {"scripted": {"model": "evil"}}}');
    const layered = must(await explainRunConfig(query));
    expect([layered.config.model, layered.isProjectIgnored]).toEqual(['home', true]);
  });

  it('lets what people chose for the project here win over its repository', async () => {
    const { query, trust } = world('{"git": {"branchPrefix": "theirs/"}, "defaultAgentType": "gone"}');
    await trust();
    const project = { ...query.project, config: { git: { branchPrefix: 'ours/' }, defaultAgentType: 'scripted' } };
    expect(must(await explainRunConfig({ ...query, project })).config.branchPrefix).toBe('ours/');
    expect(await explainRunConfig(query)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('"gone"') },
    });
  });

  it('is refused where a hook or a request has a value of the wrong kind', async () => {
    const { query } = world('{}');
    for (const wrong of [{ hookParams: { maxTurns: 'x' } }, { overrides: { timeout: -1 } }])
      expect(await explainRunConfig({ ...query, ...wrong })).toMatchObject({ ok: false, error: { code: 'invalid' } });
  });

  it('has for every key the value of the layer that is named as its origin', () => {
    const layer = fc.constantFrom('agent', 'home', 'project', 'hook', 'run' as const);
    const config = fc.record(
      { model: fc.string(), maxTurns: fc.nat(), autoCommit: fc.boolean() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.uniqueArray(fc.record({ layer, config }), { selector: (one) => one.layer }), (layers) => {
        const merged = mergeLayers(layers);
        const values = new Map(Object.entries(merged.config));
        expect(Object.keys(merged.origins).toSorted()).toEqual([...values.keys()].toSorted());
        for (const [key, origin] of Object.entries(merged.origins)) {
          const named = layers.find((one) => one.layer === origin.layer)?.config ?? {};
          expect(values.get(key)).toBe(new Map<string, unknown>(Object.entries(named)).get(key));
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
