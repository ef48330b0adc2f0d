import { lazy, Suspense } from 'react';
import { showOutput } from './plain-text.ts';

const MarkdownBody = lazy(() => import('./markdown-body.tsx').then(({ MarkdownBody: body }) => ({ default: body })));

/** Text of a model as Markdown; plain until the renderer has arrived. */
export function Markdown({ text, live = false }: { readonly text: string; readonly live?: boolean }) {
  return (
    <Suspense fallback={<div className="md whitespace-pre-wrap">{showOutput(text)}</div>}>
      <MarkdownBody text={text} live={live} />
    </Suspense>
  );
}
