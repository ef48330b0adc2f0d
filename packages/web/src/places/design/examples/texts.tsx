import { Markdown } from '../../../ui/markdown.tsx';
import { MarkdownBody } from '../../../ui/markdown-body.tsx';
import { WithCode } from '../../../ui/with-code.tsx';
import { WithFlags } from '../../../ui/with-flags.tsx';
import { HOSTILE, LONG, NO_ERROR, none, type Part, STILL } from './example.tsx';

const TEXT = `# Goal

A **plan** with *emphasis*, ~~what is gone~~, \`code\`, a [link](https://example.test) and lists:

1. First
2. Second
   - [x] done
   - [ ] open

> What somebody said.

| file | change |
|---|---|
| \`a.ts\` | new |

\`\`\`ts
export const one = 'text'; // a comment
\`\`\`

---

The end.
`;
const HOSTILE_TEXT = `${HOSTILE}

[click](javascript:alert(1)) ![tracker](https://example.test/pixel.png) <iframe src="//example.test"></iframe>

\`\`\`html
<script>alert(1)</script>
\`\`\`
`;
const LONG_TEXT = `${LONG}

\`\`\`
${LONG} ${LONG}
\`\`\`

| ${LONG.slice(0, 40)} | ${LONG.slice(40, 90)} | third |
|---|---|---|
| a | b | c |
`;

const OWN_WORDS = none('Its words are our own.');

/** What people and models write. */
export const TEXTS: ReadonlyArray<Part> = [
  {
    of: 'Markdown',
    from: 'ui/markdown.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <Markdown text={TEXT} />,
      busy: <Markdown text="While a model writes, a mark stands at the en" live />,
      empty: <Markdown text="" />,
      long: <Markdown text={LONG_TEXT} />,
      hostile: <Markdown text={HOSTILE_TEXT} />,
    },
  },
  {
    of: 'MarkdownBody',
    from: 'ui/markdown-body.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: (
        <MarkdownBody text="What Markdown shows once its renderer is loaded; its states are there." live={false} />
      ),
      empty: none('As Markdown.'),
      long: none('As Markdown.'),
      hostile: none('As Markdown.'),
    },
  },
  {
    of: 'WithCode',
    from: 'ui/with-code.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <WithCode text={'Say `attractor inbox` to see what "waits". `attractor runs transcript SHOP-1.1`'} />,
      empty: none('A sentence is never empty.'),
      long: (
        <p className="wrap-anywhere">
          <WithCode text={`Say \`${LONG}\``} />
        </p>
      ),
      hostile: <WithCode text={`Say \`${HOSTILE}\``} />,
    },
  },
  {
    of: 'WithFlags',
    from: 'ui/with-flags.tsx',
    states: {
      ...STILL,
      ...NO_ERROR,
      default: <WithFlags text="Start it with --port 0, and no line ends inside a flag." />,
      empty: none('A sentence is never empty.'),
      long: (
        <p className="max-w-40">
          <WithFlags text="Start it with --port 0 --allow-unsandboxed --no-open to see it break between flags." />
        </p>
      ),
      hostile: OWN_WORDS,
    },
  },
];
