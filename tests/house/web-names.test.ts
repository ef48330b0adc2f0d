import { expect, it } from 'vitest';
import { judge } from './planted.ts';
import { webNames } from './web-names.ts';

it('finds names of buttons and places that the web app does not show', () => {
  const found = judge(webNames, {
    'docs/first-run.md':
      '**Begin**, **Pause the queue**, **Send** and **Limit (optional)** are there; **Start here** and **Hold** are not.',
    'docs/hooks.md': '**Anything**',
    'packages/web/src/a.tsx': 'const a = <Panel title="Limit (optional)">Begin</Panel>;\nconst b = "Pause the queue";',
    'packages/web/src/b.tsx': 'const a = (\n  <Button>\n    <Icon /> Send\n  </Button>\n);',
    'packages/web/src/b.test.ts': 'const a = "Start here";',
  });
  expect(found.map((line) => /“(.*)”/.exec(line)?.[1])).toEqual(['Start here', 'Hold']);
});
