import { Lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { CODE_COLOURS } from './code-colours.ts';
import { keyed } from './keyed.ts';
import { showOutput } from '@attractor/api/shown';
import { useSyntax } from './use-syntax.ts';

/**
 * A model's text is hostile. It is cut into tokens, and each becomes an element of ours: its HTML stays text, its images become their
 * description and are never fetched, its links open nothing by themselves and only lead to the web.
 */
export function MarkdownBody({ text, live }: { readonly text: string; readonly live: boolean }) {
  return (
    <div dir="auto" className={`md ${live ? 'caret' : ''}`}>
      {shown(Lexer.lex(showOutput(text)))}
    </div>
  );
}

function shown(tokens: ReadonlyArray<Token> | undefined): ReactNode {
  return (tokens ?? []).map((token, at) => piece(token as MarkedToken, at));
}

/** The page has headings of its own above these. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6', 'h6', 'h6'] as const;

/** No part of its own for each token: a long transcript has thousands of them. */
function piece(token: MarkedToken, key: number): ReactNode {
  switch (token.type) {
    case 'heading': {
      const Heading = HEADINGS[token.depth - 1] ?? 'h6';
      return <Heading key={key}>{shown(token.tokens)}</Heading>;
    }
    case 'paragraph':
      return <p key={key}>{shown(token.tokens)}</p>;
    case 'blockquote':
      return <blockquote key={key}>{shown(token.tokens)}</blockquote>;
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          <Fence text={token.text} language={token.lang ?? ''} />
        </pre>
      );
    case 'list':
      return <List key={key} list={token} />;
    case 'table':
      return <Table key={key} table={token} />;
    case 'hr':
      return <hr key={key} />;
    case 'space':
    case 'def':
      return null;
    default:
      return inline(token, key);
  }
}

function Fence({ text, language }: { readonly text: string; readonly language: string }) {
  const lines = useSyntax()?.codeLines(language, text) ?? null;
  if (lines === null) return <code>{text}</code>;
  return (
    <code>
      {keyed(lines).map(({ key, item: line }, at) => (
        <Fragment key={key}>
          {at === 0 ? '' : '\n'}
          {keyed(line).map(({ key: place, item: { text: part, kind } }) => (
            <span key={place} className={kind === null ? undefined : CODE_COLOURS[kind]}>
              {part}
            </span>
          ))}
        </Fragment>
      ))}
    </code>
  );
}

function inline(token: MarkedToken, key: number): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{shown(token.tokens)}</strong>;
    case 'em':
      return <em key={key}>{shown(token.tokens)}</em>;
    case 'del':
      return <del key={key}>{shown(token.tokens)}</del>;
    case 'codespan':
      return <code key={key}>{token.text}</code>;
    case 'br':
      return <br key={key} />;
    case 'link':
      return (
        <MarkdownLink key={key} href={token.href}>
          {shown(token.tokens)}
        </MarkdownLink>
      );
    case 'image':
      return (
        <span key={key} className="text-faint">
          [image{token.text === '' ? '' : `: ${token.text}`}]
        </span>
      );
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'text':
      return token.tokens === undefined ? plain(token.text) : shown(token.tokens);
    case 'escape':
      return token.text;
    default:
      return token.raw;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Text, not markup: React writes whatever comes out as text. */
function plain(text: string): string {
  return text.replaceAll(/&(#39|amp|lt|gt|quot|nbsp);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

function List({ list }: { readonly list: Tokens.List }) {
  const items = keyed(list.items).map(({ key, item }) => <li key={key}>{shown(item.tokens)}</li>);
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { readonly table: Tokens.Table }) {
  const cells = (row: ReadonlyArray<Tokens.TableCell>, Cell: 'th' | 'td') =>
    keyed(row).map(({ key, item }) => <Cell key={key}>{shown(item.tokens)}</Cell>);
  return (
    <table tabIndex={0}>
      <thead>
        <tr>{cells(table.header, 'th')}</tr>
      </thead>
      <tbody>
        {keyed(table.rows).map(({ key, item }) => (
          <tr key={key}>{cells(item, 'td')}</tr>
        ))}
      </tbody>
    </table>
  );
}

function MarkdownLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!/^https?:\/\//i.test(href)) return <span>{children}</span>;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
