import vm from 'node:vm';
import type TurndownService from 'turndown';
import { loadPackage } from './load-package.ts';

export type Markdown = { readonly text: string; readonly title: string | null };

/** Elements without readable content. */
const SILENT = [
  'script',
  'style',
  'noscript',
  'iframe',
  'template',
  'object',
  'embed',
  'canvas',
  'head',
  'title',
] as const;
/** Longer pages are truncated here: converting them to markdown would block everything else. */
const MAX_CHARS = 2_000_000;
const CONVERT_TIMEOUT_MS = 3_000;
const TITLE_WITHIN = 65_536;

/** Links are made absolute, so that they can be followed; scripts and images with inline data are left out. */
export async function htmlToMarkdown(html: string, base: URL): Promise<Markdown> {
  const bounded = html.slice(0, MAX_CHARS);
  const named = /<title[^<>]{0,200}>([^<]{1,500})<\/title/i.exec(bounded.slice(0, TITLE_WITHIN))?.[1];
  const title = named === undefined ? null : withoutEntities(named).trim();
  const turndown = await loadPackage<{ readonly default: typeof TurndownService }>('turndown');
  if (turndown === null) return { text: bareText(bounded), title };
  try {
    const service = converterFor(new turndown.default(STYLE), base);
    return { text: convert(service, withoutSilent(bounded)), title };
  } catch {
    // Nested too deeply: the bare text is still useful.
    return { text: bareText(bounded), title };
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}

const CONVERT = new vm.Script('convert()');

/** A page can be crafted to take forever; only a separate run can be stopped. */
function convert(service: TurndownService, html: string): string {
  const context = vm.createContext({ convert: () => service.turndown(html).trim() });
  return String(CONVERT.runInContext(context, { timeout: CONVERT_TIMEOUT_MS }));
}

const STYLE = { headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' } as const;

function converterFor(service: TurndownService, base: URL): TurndownService {
  service.remove([...SILENT]);
  service.addRule('drawing', { filter: (node) => node.nodeName.toLowerCase() === 'svg', replacement: () => '' });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.getAttribute('href') !== null,
    replacement: (content, node) => {
      const target = complete(attribute(node, 'href'), base);
      return target === null || content.trim() === '' ? content : `[${content.trim()}](${target})`;
    },
  });
  service.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) => {
      const [target, alt] = [complete(attribute(node, 'src'), base), attribute(node, 'alt').trim()];
      if (target === null) return alt;
      return alt === '' ? '' : `![${alt}](${target})`;
    },
  });
  return service;
}

function attribute(node: TurndownService.Node, name: string): string {
  return 'getAttribute' in node ? (node.getAttribute(name) ?? '') : '';
}

/** Null for anything but a page: scripts, inline data, invalid addresses. */
function complete(target: string, base: URL): string | null {
  const url = URL.parse(target, base.href);
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol)
    ? url.href.replaceAll(/[()\s]/g, encodeURIComponent)
    : null;
}

const BEGINS_SILENT = /<(?:!--|(script|style|noscript|template)\b)/gi;

/**
 * One pass, whatever the page contains: an unclosed element extends to the end. Parsers treat the contents of these as text, and it may be
 * megabytes.
 */
function withoutSilent(html: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let match = nextSilent(html, from); match !== null; match = nextSilent(html, from)) {
    pieces.push(html.slice(from, match.index));
    const [close, width] = match[1] === undefined ? ['-->', 3] : [new RegExp(`</${match[1]}\\b`, 'gi'), 0];
    const end = typeof close === 'string' ? html.indexOf(close, match.index) : indexOf(html, close, match.index);
    if (end < 0) return pieces.join('');
    from = width > 0 ? end + width : afterTag(html, end);
  }
  return [...pieces, html.slice(from)].join('');
}

function nextSilent(html: string, from: number): RegExpExecArray | null {
  BEGINS_SILENT.lastIndex = from;
  return BEGINS_SILENT.exec(html);
}

function indexOf(html: string, wanted: RegExp, from: number): number {
  wanted.lastIndex = from;
  return wanted.exec(html)?.index ?? -1;
}

function afterTag(html: string, at: number): number {
  const end = html.indexOf('>', at);
  return end < 0 ? html.length : end + 1;
}

function bareText(html: string): string {
  return withoutSilent(html)
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}
