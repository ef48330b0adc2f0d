import type { ModelFamily } from '@attractor/llm';
import { ruleOf, TOOL_NAMES, type ToolName, TOOLS, type ToolRow } from '@attractor/tool-table';
import type { Tree, Violation } from './tree.ts';

/** The page whose first table lists the tools. */
export const TOOLS_PAGE = 'docs/tools.md';
const TABLE = /^\|[^]*?(?=\n\n)/m;

/** The page on tools is drawn from the tool table. */
export function toolsPage(tree: Tree): Violation[] {
  const page = tree.read(TOOLS_PAGE);
  if (!TABLE.test(page)) return [{ file: TOOLS_PAGE, message: 'has no table of tools' }];
  if (withTools(page) === page) return [];
  return [{ file: TOOLS_PAGE, message: 'lists other tools than the table of tools: run `npm run docs`' }];
}

/** The page with the correct table. */
export function withTools(page: string): string {
  return page.replace(TABLE, () => drawTable([HEAD, ...TOOL_NAMES.map(cellsOf)]));
}

const FAMILIES: ReadonlyArray<ModelFamily> = ['anthropic', 'openai', 'gemini'];
const HEAD = ['what it does', 'house name', ...FAMILIES, 'in rules', 'needs'];

function cellsOf(tool: ToolName): ReadonlyArray<string> {
  const { does, needs }: ToolRow = TOOLS[tool];
  return [
    does,
    code(tool),
    ...FAMILIES.map((family) => spelling(tool, family)),
    code(ruleOf(tool)),
    needs === undefined ? '' : code(needs),
  ];
}

/** In brackets: only in a profile that is made with the names of its family. */
function spelling(tool: ToolName, family: ModelFamily): string {
  const { families }: ToolRow = TOOLS[tool];
  const { [family]: spelled } = families;
  if (spelled === undefined) return '';
  if (spelled.always !== undefined) return code(spelled.always);
  return spelled.asked === undefined ? 'yes' : `(${code(spelled.asked)})`;
}

function code(name: string): string {
  return `\`${name}\``;
}

/** As the formatter leaves it: every column as wide as its widest cell. */
function drawTable(rows: ReadonlyArray<ReadonlyArray<string>>): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join('\n');
}
