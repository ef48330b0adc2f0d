import type { Command } from 'commander';
import { type Finding, LOOKS } from '../doctor/examine.ts';
import { EXIT, readableText, createStyle, type Style, putStyled } from '@attractor/console';
import { showWork } from '../show-work.ts';
import { homeFolder } from '../settings.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description('Looks at everything the command needs and says how to fix what is missing.')
    .option('--json', 'one JSON object a line, for scripts')
    .addHelpText(
      'after',
      '\nExit code 0 if everything required is in order, 1 otherwise.\n\nExamples:\n  attractor doctor\n  attractor doctor --json',
    )
    .action(async (flags: { readonly json?: boolean }) => finish(await doctor(flags.json === true)));
}

async function doctor(asJson: boolean): Promise<number> {
  const place = { env: process.env, home: homeFolder(process.env) };
  const style = createStyle(process.stdout, process.env);
  let isWell = true;
  for (const { doing, look } of LOOKS) {
    const finding = await showWork({ doing, isShown: !asJson }, async () => look(place));
    putStyled(process.stdout, `${asJson ? JSON.stringify(finding) : line(finding, style)}\n`);
    isWell &&= finding.state !== 'missing';
  }
  return isWell ? EXIT.done : EXIT.failed;
}

const MARKS: Readonly<Record<Finding['state'], (style: Style) => string>> = {
  well: (style) => style.good('✓'),
  optional: (style) => style.dim('–'),
  missing: (style) => style.bad('✗'),
};

function line(finding: Finding, style: Style): string {
  const remedy = finding.remedy === undefined ? '' : `\n    ${style.dim('→')} ${readableText(finding.remedy)}`;
  return `${MARKS[finding.state](style)} ${finding.what.padEnd(14)} ${readableText(finding.found)}${remedy}`;
}
