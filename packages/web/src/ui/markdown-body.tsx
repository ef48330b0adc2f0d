import type { ReactNode } from 'react';
import { Streamdown, type Components } from 'streamdown';
import { showOutput } from './plain-text.ts';

/**
 * A model's text is hostile: its HTML stays text (no plugin parses it), its images become their description and are never fetched, its
 * links open nothing by themselves and only lead to the web.
 */
export function MarkdownBody({ text, live }: { readonly text: string; readonly live: boolean }) {
  return (
    <Streamdown
      mode={live ? 'streaming' : 'static'}
      className={`md ${live ? 'caret' : ''}`}
      rehypePlugins={NO_PLUGINS}
      components={COMPONENTS}
      controls={false}
      linkSafety={{ enabled: false }}
    >
      {showOutput(text)}
    </Streamdown>
  );
}

const NO_PLUGINS: [] = [];

const COMPONENTS: Components = {
  img: ({ alt }) => <span className="text-faint">[image{alt === undefined || alt === '' ? '' : `: ${alt}`}]</span>,
  a: ({ href, children }) => <MarkdownLink href={href} text={children} />,
  pre: ({ children }) => <pre>{children}</pre>,
  code: ({ children }) => <code>{children}</code>,
  inlineCode: ({ children }) => <code>{children}</code>,
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  table: ({ children }) => <table>{children}</table>,
};

function MarkdownLink({ href, text }: { readonly href: string | undefined; readonly text: ReactNode }) {
  const safe = href !== undefined && /^https?:\/\//i.test(href);
  if (!safe) return <span>{text}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}
