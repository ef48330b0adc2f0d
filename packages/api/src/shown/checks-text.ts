export type CheckRow = { readonly id: number; readonly name: string; readonly command: string };

export function rowsOf(
  checks: ReadonlyArray<{ readonly name: string; readonly command: string }>,
): ReadonlyArray<CheckRow> {
  if (checks.length === 0) return [{ id: 1, name: 'test', command: '' }];
  return checks.map(({ name, command }, at) => ({ id: at + 1, name, command }));
}

/** What the repository's file says for these checks. */
export function checksText(rows: ReadonlyArray<CheckRow>): string {
  const checks = rows.map(({ name, command }) => [name.trim(), { command: command.trim() }] as const);
  return JSON.stringify({ checks: Object.fromEntries(checks) }, null, 2);
}

/** What is wrong with them, in words; nothing while a row is still empty would be a file without it. */
export function problemsOf(rows: ReadonlyArray<CheckRow>): ReadonlyArray<string> {
  const names = rows.map(({ name }) => name.trim());
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  return [
    ...(rows.some(({ name }) => name.trim() === '') ? ['Each check needs a name.'] : []),
    ...(rows.some(({ command }) => command.trim() === '') ? ['Each check needs a command.'] : []),
    ...(twice === undefined ? [] : [`Two checks are called ${twice}.`]),
  ];
}
