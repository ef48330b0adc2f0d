import { realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * A variable by which a program loads, runs or reads what its words do not name. `programs` null: any program may obey it. `isPlace`: it
 * only names folders or files.
 */
export type Steering = {
  readonly name: string;
  readonly programs: ReadonlySet<string> | null;
  readonly isPlace: boolean;
};

/**
 * What a variable makes programs obey; null if it changes nothing about what runs. `folders`: those of the workspace, as they really are.
 * Places (`PYTHONPATH`, `LD_LIBRARY_PATH`) count where they lead into the workspace, or begin in whatever folder a command is in: there,
 * others write.
 */
export function steeringOf(name: string, value: string, folders: ReadonlyArray<string>): Steering | null {
  if (!/^[A-Za-z_]\w*$/.test(name)) return { name, programs: null, isPlace: false };
  if (value === '') return null;
  const found = ROWS.find(({ names }) => names.some((one) => isNamed(name, one)));
  if (found === undefined || found.is === 'harmless') return null;
  const isPlace = found.is === 'place';
  const isHarmless = isPlace ? leadsOutside(value, folders) : found.harmless?.test(value) === true;
  return isHarmless ? null : { name, programs: found.programs, isPlace };
}

/** Every folder of the list begins at the top and lies, links resolved, outside the workspace. */
function leadsOutside(value: string, folders: ReadonlyArray<string>): boolean {
  return value.split(':').every((entry) => {
    if (!path.isAbsolute(entry)) return false;
    const real = realOr(entry);
    return !folders.some((folder) => real === folder || real.startsWith(folder === '/' ? '/' : `${folder}/`));
  });
}

function realOr(place: string): string {
  try {
    return realpathSync(place);
  } catch {
    return path.normalize(place);
  }
}

/**
 * harmless  obeyed, but never names a program or a file that is loaded
 * place     one place or a list of them, from which programs load what they run or obey
 * steers    anything else that a program obeys, unless its value has the harmless form
 */
type Row = {
  readonly is: 'harmless' | 'place' | 'steers';
  readonly names: ReadonlyArray<Name>;
  readonly programs: ReadonlySet<string> | null;
  readonly harmless?: RegExp;
};

type Further = { readonly programs?: string; readonly harmless?: RegExp };

/** A whole name, or a pattern of names with the letters that all of them begin with: few of the patterns are ever made. */
type Name = { readonly text: string; readonly begins: string; pattern?: RegExp };

function isNamed(name: string, one: Name): boolean {
  if (one.begins === one.text) return name === one.text;
  if (!name.startsWith(one.begins)) return false;
  one.pattern ??= new RegExp(`^(?:${one.text.replaceAll('*', '\\w*')})$`);
  return one.pattern.test(name);
}

/** `names`: whole names, where `*` stands for any letters. */
function row(is: Row['is'], names: string, { programs, harmless }: Further = {}): Row {
  return {
    is,
    names: names.split(' ').map((text) => ({ text, begins: /^\w*/.exec(text)?.[0] ?? '' })),
    programs: programs === undefined ? null : new Set(programs.split(' ')),
    ...(harmless === undefined ? {} : { harmless }),
  };
}

const NODE = 'node nodejs npm npx pnpm yarn';
const PYTHON = 'python python3 pip pip3 yq';
/** Some readers are scripts. */
const PERL_AND_RUBY = 'perl ruby shasum';
const JAVA = 'java javac';
const RUST = 'cargo rustc';
const COMPILERS = 'gcc g++ cc clang';
/** What a manager of versions may stand before. */
const VERSIONED = `${NODE} ${PYTHON} ${JAVA} ${RUST} go ruby perl`;

/** Nobody sees a pager or an editor: these stand for none. */
const NOTHING = /^(?:cat|true|false|:|0|1)$/;
/** In other encodings a backslash or a quote can be half of a letter, and a command would be read differently. */
const LOCALE = /^(?:C|POSIX|(?:C|[a-z]{2,3}(?:_[a-z]{2})?)\.utf-?8(?:@\w+)?)$/i;
const LANGUAGES = /^[a-z]{2,3}(?:_[a-z]{2})?(?::[a-z]{2,3}(?:_[a-z]{2})?)*$/i;
const NODE_OPTIONS =
  /^(?:--(?:(?:max[-_]old[-_]space[-_]size|max[-_]semi[-_]space[-_]size|stack-trace-limit|max-http-header-size)=\d+|no-warnings|no-deprecation|trace-(?:warnings|deprecation|uncaught)|enable-source-maps|use-(?:system|openssl|bundled)-ca|openssl-legacy-provider|experimental-vm-modules|unhandled-rejections=[\w-]+|dns-result-order=\w+)\s*)+$/;
const JAVA_OPTIONS =
  /^(?:-(?:Xm[xsn]\d+[kmg]?|Xss\d+[kmg]?|XX:[+-]Use\w+|XX:MaxRAMPercentage=[\d.]+|D(?:file\.encoding|user\.\w+|java\.net\.\w+|https?\.(?:proxyHost|proxyPort|nonProxyHosts))=[\w.|*-]*)\s*)+$/i;
const GO_FLAGS = /^(?:-(?:mod=\w+|buildvcs=\w+|count=\d+|v|race|trimpath|modcacherw|tags=[\w,]+|p=\d+)\s*)+$/;
const ZONE = /^(?!.*\.\.)[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/;

/** The first row with a name counts. */
const ROWS: ReadonlyArray<Row> = [
  // The loader and the C library
  row('place', 'LD_LIBRARY_PATH NIX_LD_LIBRARY_PATH'),
  row('steers', 'LD_* NIX_LD* DYLD_* GCONV_PATH GETCONF_DIR LOCPATH NLSPATH MALLOC_* GLIBC_TUNABLES TZDIR HOSTALIASES'),
  row('steers', 'LANG LC_*', { harmless: LOCALE }),
  row('steers', 'LANGUAGE', { harmless: LANGUAGES }),
  row('steers', 'TZ', { harmless: ZONE }),
  // Bash
  row(
    'steers',
    'BASH* ENV SHELLOPTS POSIXLY_CORRECT CDPATH GLOBIGNORE GLOBSORT EXECIGNORE FIGNORE IFS PS\\d PROMPT_* TMOUT HIST* FUNCNEST FCEDIT TIMEFORMAT INPUTRC READLINE_* COMP_* OPT(?:IND|ARG|ERR) MAILPATH ZDOTDIR PWD OLDPWD SHLVL _',
  ),
  // What shows a text, or asks a person
  row('steers', '*PAGER *EDITOR VISUAL BROWSER LESS* MORE MANOPT MAN_* MANROFFOPT GROFF_* *_ASKPASS', {
    harmless: NOTHING,
  }),
  // Git
  row('harmless', 'GIT_(?:AUTHOR|COMMITTER)_* GIT_SSL_* GIT_HTTP_LOW_SPEED_* GIT_TERMINAL_PROMPT GIT_OPTIONAL_LOCKS'),
  row('steers', 'GIT_*'),
  row('place', 'XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS'),
  // Options and files of readers
  row(
    'steers',
    'GREP_OPTIONS TAR_OPTIONS TAPE GZIP BZIP BZIP2 XZ_OPT XZ_DEFAULTS ZSTD_* LZOP UNZIP* ZIP* DIFF_OPTIONS LS_OPTIONS RIPGREP_CONFIG_PATH ACK* FZF_* BAT_* BC_ENV_ARGS DC_* AWK* GAWK_* MAGIC PS_FORMAT PS_PERSONALITY CMD_ENV LIBPROC_* DEBUGINFOD_*',
  ),
  row('steers', 'OPENSSL_CONF* OPENSSL_MODULES OPENSSL_ENGINES SSLKEYLOGFILE'),
  row('place', 'CURL_HOME DOCKER_CONFIG DOCKER_CLI_* GH_CONFIG_DIR', { programs: 'curl docker gh' }),
  // Node
  row('steers', 'NODE_OPTIONS', { programs: NODE, harmless: NODE_OPTIONS }),
  row('place', 'NODE_PATH COREPACK_HOME PNPM_HOME', { programs: NODE }),
  row('steers', 'NODE_REPL_* NODE_V8_COVERAGE NODE_REDIRECT_WARNINGS NODE_COMPILE_CACHE NODE_ICU_DATA', {
    programs: NODE,
  }),
  row(
    'harmless',
    '(?:npm_config|NPM_CONFIG)_(?:(?:registry|cafile|proxy|https_proxy|noproxy|strict_ssl|loglevel|fund|audit|progress|color|update_notifier|yes|legacy_peer_deps|fetch_retries|fetch_timeout)|(?:REGISTRY|CAFILE|PROXY|HTTPS_PROXY|NOPROXY|STRICT_SSL|LOGLEVEL|FUND|AUDIT|PROGRESS|COLOR|UPDATE_NOTIFIER|YES|LEGACY_PEER_DEPS|FETCH_RETRIES|FETCH_TIMEOUT)) COREPACK_NPM_REGISTRY YARN_(?:NPM_REGISTRY_SERVER|HTTPS?_PROXY|HTTPS_CA_FILE_PATH|ENABLE_*)',
  ),
  row('steers', 'npm_* NPM_CONFIG_* YARN_* COREPACK_* INIT_CWD', { programs: NODE }),
  // Python
  row(
    'harmless',
    'PYTHON(?:DONTWRITEBYTECODE|UNBUFFERED|HASHSEED|IOENCODING|UTF8|OPTIMIZE|FAULTHANDLER|NOUSERSITE|SAFEPATH|DEVMODE) PIP_(?:INDEX_URL|EXTRA_INDEX_URL|CERT|CLIENT_CERT|PROXY|TRUSTED_HOST|NO_CACHE_DIR|DISABLE_PIP_VERSION_CHECK|DEFAULT_TIMEOUT|TIMEOUT|RETRIES|REQUIRE_VIRTUALENV|NO_INPUT|ROOT_USER_ACTION|BREAK_SYSTEM_PACKAGES|PREFER_BINARY)',
  ),
  row('place', 'PYTHON(?:PATH|HOME|USERBASE|PYCACHEPREFIX) VIRTUAL_ENV CONDA_PREFIX*', { programs: PYTHON }),
  row('steers', 'PYTHON[A-Z]* PIP_*', { programs: PYTHON }),
  // Other languages
  row('place', 'PERL5LIB PERLLIB RUBYLIB GEM_HOME GEM_PATH', { programs: PERL_AND_RUBY }),
  row('harmless', 'BUNDLE_(?:PATH|GEMFILE|WITHOUT|JOBS|DEPLOYMENT|FROZEN|RETRY) RUBY_VERSION'),
  row('steers', 'PERL* RUBY* BUNDLE_*', { programs: PERL_AND_RUBY }),
  row('steers', 'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA*_OPTIONS', { programs: JAVA, harmless: JAVA_OPTIONS }),
  row('place', 'JAVA_HOME JRE_HOME JDK_HOME CLASSPATH', { programs: JAVA }),
  row('place', 'GOROOT GOPATH GOBIN GOENV GOMODCACHE GOCACHE', { programs: 'go' }),
  row('steers', 'GOTOOLCHAIN', { programs: 'go', harmless: /^(?:local|auto)$/ }),
  row('steers', 'GOFLAGS', { programs: 'go', harmless: GO_FLAGS }),
  row('steers', 'GOCACHEPROG GOAUTH GOEXPERIMENT GOWORK', { programs: 'go', harmless: /^off$/ }),
  row('place', 'RUSTUP_HOME CARGO_HOME CARGO_TARGET_DIR', { programs: RUST }),
  row('steers', 'RUSTUP_TOOLCHAIN RUSTC RUSTC_*WRAPPER RUSTDOC CARGO_BUILD_RUST*', {
    programs: RUST,
    harmless: /^[\w.-]+$/,
  }),
  row('steers', 'GCC_EXEC_PREFIX COMPILER_PATH CCC_OVERRIDE_OPTIONS CLANG_CONFIG_FILE*', { programs: COMPILERS }),
  row('steers', 'MAKEFLAGS MFLAGS MAKEFILES GNUMAKEFLAGS MAKELEVEL', { programs: 'make', harmless: /^(?:-j\d*|\d)$/ }),
  row('place', '(?:ASDF|MISE|RTX|PYENV|RBENV|NODENV|JENV|VOLTA|FNM|NVM|SDKMAN)_(?:*_)?(?:ROOT|HOME|DIR|FILE|BIN)', {
    programs: VERSIONED,
  }),
  row('steers', '(?:MISE|RTX|ASDF|PYENV|RBENV|NODENV|JENV)_*', { programs: VERSIONED, harmless: /^[\w.-]+$/ }),
];
