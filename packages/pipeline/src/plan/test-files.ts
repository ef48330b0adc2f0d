/** Folders whose files belong to tests, in the habits of common languages. */
const FOLDERS = /^(?:__tests__|__mocks__|__snapshots__|tests?|testing|testdata|specs?|e2e|fixtures?)$/i;

/** `parser.test.ts`, `test_parser.py`, `parser_test.go`, `ParserTest.java`, `conftest.py`. */
const NAMES = [
  /(?:^|[._-])(?:tests?|specs?)(?:[._-]|$)/i,
  /(?:Tests?|Specs?|TestCase|IT)\.(?:java|kt|kts|scala|groovy|cs|swift|php|m|mm)$/,
  /^conftest\.py$/,
];

/** Whether a path below the folder of the work is that of a test, by its name. */
export function isTestFile(path: string): boolean {
  const names = path.split('/');
  return names.some((name) => FOLDERS.test(name)) || NAMES.some((pattern) => pattern.test(names.at(-1) ?? ''));
}
