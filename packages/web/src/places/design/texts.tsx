import { useState } from 'react';
import { Markdown } from '../../ui/markdown.tsx';
import { Panel } from '../../ui/panel.tsx';
import { showControls } from '../../ui/plain-text.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { WithCode } from '../../ui/with-code.tsx';
import { WithFlags } from '../../ui/with-flags.tsx';

const TEXT = `## Goal

A **plan** with \`code\`, a [link](https://example.test) and a list:

1. First
2. Second

| file | change |
|---|---|
| \`a.ts\` | new |

\`\`\`js
const one = 1;
\`\`\`
`;

const TABS = [
  { name: 'markdown', label: 'Markdown' },
  { name: 'plain', label: 'Plain', count: 2 },
] as const;

/** What people and models write. */
export function Texts() {
  const [chosen, choose] = useState<(typeof TABS)[number]['name']>('markdown');
  return (
    <Panel title="Texts">
      <Tabs label="Texts" tabs={TABS} chosen={chosen} onChoose={choose}>
        {chosen === 'markdown' ? (
          <div className="pt-3">
            <Markdown text={TEXT} />
          </div>
        ) : (
          <div className="flex flex-col gap-2 pt-3">
            <p>
              <WithCode text="Say `attractor inbox` to see what waits." />
            </p>
            <p>
              <WithFlags text="Start it with --port 0, and no line ends inside a flag." />
            </p>
            <p>{showControls('Hidden: \u202e and \u0007')}</p>
          </div>
        )}
      </Tabs>
    </Panel>
  );
}
