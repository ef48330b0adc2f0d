import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs } from '@attractor/base/testing';

import { insertIntoList } from './json-insert.ts';
import { rememberRules, ruleFilesOf, suggestionsOf } from './remember.ts';

const PLACE = ['permissions', 'allow'];

describe('a rule that is kept', () => {
  it.each([
    ['{}', '{\n  "permissions": {\n    "allow": [\n      "N"\n    ]\n  }\n}'],
    ['{"a":1}', '{"a":1, "permissions": {\n    "allow": [\n      "N"\n    ]\n  }}'],
    [
      '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"A"\n\t\t]\n\t}\n}\n',
      '{\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"A",\n\t\t\t"N"\n\t\t]\n\t}\n}\n',
    ],
    ['{"permissions":{"allow":["A"],"deny":["B"]}}', '{"permissions":{"allow":["A", "N"],"deny":["B"]}}'],
    [
      '{\n  "permissions": {\n    "deny": [ "B" ]\n  },\n  "x": "permissions"\n}',
      '{\n  "permissions": {\n    "deny": [ "B" ],\n    "allow": [\n      "N"\n    ]\n  },\n  "x": "permissions"\n}',
    ],
  ])('leaves the rest of %j as it is', (before, after) => {
    expect(insertIntoList(before, PLACE, ['N'])).toBe(after);
  });

  it.each([
    '',
    '[]',
    '{',
    '// x\n{}',
    '{"permissions":[]}',
    '{"permissions":{"allow":"A"}}',
    '{"permissions":{"allow":[]},"permissions":{}}',
  ])('is not written into %j', (text) => expect(insertIntoList(text, PLACE, ['N'])).toBeNull());

  it('adds exactly itself to any JSON object, however it is written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.string()),
        fc.constantFrom(undefined, 1, 2, '\t'),
        (rest, allow, indent) => {
          const before = JSON.stringify({ ...rest, permissions: { allow, deny: ['x'] } }, null, indent);
          const after = insertIntoList(before, PLACE, ['N', '"]}']);
          expect(JSON.parse(after ?? 'null')).toEqual({
            ...JSON.parse(before),
            permissions: { allow: [...allow, 'N', '"]}'], deny: ['x'] },
          });
        },
      ),
      { numRuns: runs(80, 20_000) },
    );
  });

  it('goes to the file of its destination, whole, once, for its owner alone', async () => {
    const root = makeFolder();
    const files = ruleFilesOf({ root, home: path.join(root, 'home') });
    const keep = (destination: 'localSettings' | 'userSettings' | 'session') =>
      rememberRules({ rules: ['Bash(npm test)'], destination, files, root });
    expect(await keep('session')).toMatchObject({ ok: true, file: null, rules: [{ origin: { scope: 'session' } }] });
    for (const destination of ['localSettings', 'userSettings'] as const) {
      const file = files[destination] ?? '';
      expect([(await keep(destination)).ok, (await keep(destination)).ok]).toEqual([true, true]);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: ['Bash(npm test)'] } });
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }
  });

  it('is not lost when many are kept in one file at one moment', async () => {
    const root = makeFolder();
    const files = ruleFilesOf({ root, home: path.join(root, 'home') });
    const rules = Array.from({ length: 20 }, (_, index) => `Bash(npm run step-${index})`);
    const keep = (rule: string) => rememberRules({ rules: [rule], destination: 'localSettings', files, root });
    expect((await Promise.all(rules.map(keep))).every(({ ok }) => ok)).toBe(true);
    const kept = JSON.parse(readFileSync(files.localSettings ?? '', 'utf8'));
    expect(kept.permissions.allow.toSorted()).toEqual(rules.toSorted());
  });

  it('of a path is written from the top of the file system where the file is a person’s own', () => {
    const files = ruleFilesOf({ root: '/project', home: '/state/.attractor' });
    expect(suggestionsOf(['Edit(/src/a.ts)', 'Bash(ls)'], files)).toMatchObject([
      { destination: 'session', rules: ['Edit(/src/a.ts)', 'Bash(ls)'], file: null },
      { destination: 'localSettings', rules: ['Edit(/src/a.ts)', 'Bash(ls)'] },
      { destination: 'projectSettings', rules: ['Edit(/src/a.ts)', 'Bash(ls)'] },
      {
        destination: 'userSettings',
        rules: ['Edit(//project/src/a.ts)', 'Bash(ls)'],
        file: '/state/.attractor/config.json',
      },
    ]);
    expect(suggestionsOf([], files)).toEqual([]);
  });

  it('of a path in a folder that will be gone is not written where it would never count again', () => {
    const files = { root: '/worktrees/one', isPassing: true, userSettings: '/state/.attractor/config.json' };
    const destinations = (...rules: ReadonlyArray<string>) =>
      suggestionsOf(rules, files).map(({ destination }) => destination);
    expect(destinations('Edit(/src/a.ts)', 'Bash(ls)')).toEqual(['session']);
    expect(destinations('Bash(ls:*)')).toEqual(['session', 'userSettings']);
    expect(destinations('WebFetch(domain:example.test)')).toEqual(['session', 'userSettings']);
  });

  it('is never written through a link of the repository, nor into what is not JSON, nor when it is no rule', async () => {
    const root = makeFolder({ '.attractor/config.json': 'not json' });
    const elsewhere = makeFolder({ 'mine.json': '{}' });
    symlinkSync(path.join(elsewhere, 'mine.json'), path.join(root, '.attractor/config.local.json'));
    const files = ruleFilesOf({ root, home: root });
    const keep = (destination: 'localSettings' | 'projectSettings', rule = 'Bash(ls)') =>
      rememberRules({ rules: [rule], destination, files, root });
    expect(await keep('localSettings')).toMatchObject({ ok: false, error: { code: 'link' } });
    expect(readFileSync(path.join(elsewhere, 'mine.json'), 'utf8')).toBe('{}');
    expect(await keep('projectSettings')).toMatchObject({ ok: false, error: { code: 'unreadable' } });
    expect(readFileSync(path.join(root, '.attractor/config.json'), 'utf8')).toBe('not json');
    writeFileSync(path.join(root, '.attractor/config.json'), '{}');
    expect(await keep('projectSettings', 'Bash()')).toMatchObject({ ok: false, error: { code: 'invalid_rule' } });
    expect(existsSync(path.join(root, '.attractor/config.json.new'))).toBe(false);
  });
});
