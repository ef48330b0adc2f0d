import { EnvironmentError } from '@attractor/system';

/** Types of files by ripgrep's names: file name endings (with a dot), or whole names. */
const FILE_TYPES: Readonly<Record<string, ReadonlyArray<string>>> = {
  c: ['.c', '.h', '.H', '.cats'],
  clojure: ['.clj', '.cljc', '.cljs', '.cljx'],
  cmake: ['.cmake', 'CMakeLists.txt'],
  config: ['.cfg', '.conf', '.config', '.ini'],
  cpp: ['.C', '.h', '.H', '.cpp', '.hpp', '.cxx', '.hxx', '.cc', '.hh', '.inl'],
  cs: ['.cs'],
  csharp: ['.cs'],
  css: ['.css', '.scss'],
  dart: ['.dart'],
  diff: ['.diff', '.patch'],
  docker: ['Dockerfile', '.Dockerfile', '.dockerfile'],
  elixir: ['.eex', '.ex', '.exs', '.heex', '.leex', '.livemd'],
  elm: ['.elm'],
  erlang: ['.erl', '.hrl'],
  go: ['.go'],
  graphql: ['.graphql', '.graphqls'],
  h: ['.h', '.hh', '.hpp'],
  haskell: ['.c2hs', '.cpphs', '.hs', '.hsc', '.lhs'],
  html: ['.ejs', '.htm', '.html'],
  java: ['.java', '.jsp', '.jspx', '.properties'],
  js: ['.cjs', '.js', '.jsx', '.mjs', '.vue'],
  json: ['.json', '.sarif', 'composer.lock'],
  julia: ['.jl'],
  kotlin: ['.kt', '.kts'],
  less: ['.less'],
  log: ['.log'],
  lua: ['.lua'],
  make: ['.mak', '.mk', 'Makefile', 'makefile', 'GNUmakefile'],
  markdown: ['.markdown', '.md', '.mdown', '.mdwn', '.mdx', '.mkd', '.mkdn'],
  md: ['.markdown', '.md', '.mdown', '.mdwn', '.mdx', '.mkd', '.mkdn'],
  nix: ['.nix'],
  ocaml: ['.ml', '.mli', '.mll', '.mly'],
  perl: ['.PL', '.perl', '.pl', '.plh', '.plx', '.pm', '.t'],
  php: ['.php', '.php5', '.php7', '.php8', '.phtml'],
  protobuf: ['.proto'],
  py: ['.py', '.pyi'],
  python: ['.py', '.pyi'],
  r: ['.R', '.Rmd', '.Rnw', '.r', '.rmd', '.rnw'],
  ruby: ['.gemspec', '.rake', '.rb', '.rbw', 'Gemfile', 'Rakefile', 'config.ru'],
  rust: ['.rs'],
  sass: ['.sass', '.scss'],
  scala: ['.sbt', '.scala'],
  sh: ['.bash', '.bashrc', '.csh', '.ksh', '.sh', '.tcsh', '.zsh', '.profile', '.zshrc', '.zshenv'],
  sql: ['.psql', '.sql'],
  svelte: ['.svelte', '.svelte.ts'],
  swift: ['.swift'],
  tf: ['.tf', '.tf.json', '.tfrc', '.tfvars', '.tfvars.json'],
  toml: ['.toml', 'Cargo.lock'],
  ts: ['.cts', '.mts', '.ts', '.tsx'],
  txt: ['.txt'],
  typescript: ['.cts', '.mts', '.ts', '.tsx'],
  vue: ['.vue'],
  xml: ['.dtd', '.rng', '.xhtml', '.xml', '.xsd', '.xsl', '.xslt'],
  yaml: ['.yaml', '.yml'],
  zig: ['.zig'],
};

/** The endings and names of a file type. An unknown type is an error that lists the others. */
export function namesOfType(type: string): ReadonlyArray<string> {
  const names = Object.hasOwn(FILE_TYPES, type) ? FILE_TYPES[type] : undefined;
  if (names !== undefined) return names;
  throw new EnvironmentError({
    code: 'invalid_pattern',
    message: `There is no file type ${type}. Known: ${Object.keys(FILE_TYPES).join(', ')}; for others give a glob.`,
  });
}

/** Whether a file has a type; true for every file if none was requested. */
export function ofType(type: string | undefined): (file: string) => boolean {
  if (type === undefined) return () => true;
  const names = namesOfType(type);
  return (file) => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    return names.some((one) => (one.startsWith('.') ? name.endsWith(one) : name === one));
  };
}
