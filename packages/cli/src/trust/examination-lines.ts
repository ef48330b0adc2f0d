import type { TrustExamination } from '@attractor/settings';
import { readableText, type Style } from '@attractor/console';

const STATES: Readonly<Record<TrustExamination['state'], string>> = {
  trusted: 'is trusted as it is now',
  unknown: 'is not trusted: none of it is used',
  changed: 'changed since it was trusted: none of it is used',
};

/**
 * For a person: every byte that counts is shown, and nothing can control the terminal. Nothing is masked: a command could hide behind a
 * mask.
 */
export function examinationLines(
  examined: TrustExamination,
  { style, full }: { readonly style: Style; readonly full: boolean },
): ReadonlyArray<string> {
  if (examined.files.length + examined.problems.length === 0)
    return [`${readableText(examined.root)} has no configuration that runs or permits anything.`];
  return [
    `The configuration of ${readableText(examined.root)} ${STATES[examined.state]}.`,
    `hash ${examined.hash}`,
    ...examined.problems.map((problem) => style.bad(`  ${safe(problem)}`)),
    ...examined.files.flatMap((file) => [
      `  ${safe(file.path)}  ${style.dim(file.what)}`,
      ...(full
        ? file.content
            .replace(/\n$/, '')
            .split('\n')
            .map((line) => `    ${safe(line)}`)
        : []),
    ]),
    ...examined.difference.flatMap(({ path, change, lines }) => [
      style.bold(`  ${change}: ${safe(path)}`),
      ...lines.map((line) => `    ${safe(line)}`),
    ]),
  ];
}

function safe(text: string): string {
  return readableText(text).replaceAll('\n', '\\n');
}
