import { Suspense } from 'react';
import { late } from '../data/late.ts';
import type { MarkdownBody } from './markdown-body.tsx';
import { showOutput } from '@attractor/api/shown';

const known: { body: typeof MarkdownBody | null } = { body: null };

const LateBody = late(async () => {
  const part = await import('./markdown-body.tsx');
  known.body = part.MarkdownBody;
  return part.MarkdownBody;
});

/** Text of a model as Markdown; plain until the renderer has arrived, and from then on without waiting for anything. */
export function Markdown({ text, live = false }: { readonly text: string; readonly live?: boolean }) {
  const Body = known.body;
  if (Body !== null) return <Body text={text} live={live} />;
  return (
    <Suspense
      fallback={
        <div dir="auto" className="md whitespace-pre-wrap">
          {showOutput(text)}
        </div>
      }
    >
      <LateBody text={text} live={live} />
    </Suspense>
  );
}
