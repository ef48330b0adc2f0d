import { REFUSED_REQUESTS } from '@attractor/headless';
import { SDK_MESSAGES } from '../walks/test-support/agent-sdk-messages.ts';
import { SDK_METHODS } from '../walks/test-support/agent-sdk-methods.ts';
import { SDK_OPTIONS, type SdkOption } from '../walks/test-support/agent-sdk-options.ts';

export const AGENT_SDK_PAGE = 'docs/agent-sdk.md';

const TABLE = /(?<=^<!-- drawn: npm run docs -->\n\n)[^]*?(?=^<!-- end -->)/m;
const METHODS = /(?<=^<!-- drawn: methods -->\n\n)[^]*?(?=^<!-- end -->)/m;
const MESSAGES = /(?<=^<!-- drawn: messages -->\n\n)[^]*?(?=^<!-- end -->)/m;

const STANDINGS: Readonly<Record<SdkOption['standing'], string>> = {
  works: 'works',
  refused: 'refused by name',
  host: 'done by the SDK',
};

/** The page with the tables of options and methods that the walk shows, and of messages. */
export function withSdkOptions(page: string): string {
  const rows = Object.entries(SDK_OPTIONS).map(([name, { standing, effect }]) => [
    `\`${name}\``,
    STANDINGS[standing],
    effect,
  ]);
  const lines = Object.values(SDK_MESSAGES).map((row) => [
    `\`${row.line}\``,
    row.never === true ? 'never' : 'printed',
    row.tells,
  ]);
  const methods = Object.entries(SDK_METHODS).map(([name, { by, effect }]) => {
    const reason = REFUSED_REQUESTS[by ?? '']?.replace(/^\w+ (?:is not done: )?/, '');
    const standing = by === null ? 'host' : effect === '' ? 'refused' : 'works';
    return [`\`${name}()\``, STANDINGS[standing], effect === '' ? (reason ?? '') : effect];
  });
  const options = tableOf([['option', 'here', 'effect'], ...rows]);
  const messages = tableOf([['line', 'here', 'it tells, or why not'], ...lines]);
  const drawn = tableOf([['method', 'here', 'effect, or why not'], ...methods]);
  return page.replace(TABLE, `${options}\n\n`).replace(METHODS, `${drawn}\n\n`).replace(MESSAGES, `${messages}\n\n`);
}

/** A table as the formatter would write it. */
export function tableOf(rows: ReadonlyArray<ReadonlyArray<string>>): string {
  const [head = []] = rows;
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: ReadonlyArray<string>): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
}
