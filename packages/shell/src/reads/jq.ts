import { judgeRead, parseArguments, type Call, type Reader, type ReadVerdict } from './arguments.ts';
import { emptyStrings } from './jq-strings.ts';

const JQ: Reader = {
  short: 'rcsSejanMCR',
  long: 'raw-output compact-output slurp sort-keys exit-status join-output ascii-output null-input monochrome-output color-output tab raw-input indent= version help'.split(
    ' ',
  ),
  operands: 'textThenPaths',
  stdin: ['n', 'null-input'],
};

/** jq that selects and reshapes: no module, no file of its own, no environment, nothing that may not end. */
export function jqReads(whole: Call): ReadVerdict {
  const { names, words } = takeVariables(whole.words);
  const call = { ...whole, words };
  const given = parseArguments(JQ, call.words);
  if ('refused' in given) return given;
  if (call.words.length === 1 && given.options.has('version')) return { reads: [] };
  const filter = given.operands[0];
  if (filter === undefined && call.fed && names.length === 0) return judgeRead({ ...JQ, operands: 'none' }, call);
  if (filter === undefined || !jqOnlyShapes(filter.text, names))
    return { refused: 'the jq filter is not known to only read its input' };
  return judgeRead(JQ, call);
}

type Taken = { readonly names: ReadonlyArray<string>; readonly words: Call['words'] };

/** `--arg name value` gives the filter a text under that name, except as the width after `--indent`, or after `--`. */
function takeVariables(words: Call['words']): Taken {
  const names: string[] = [];
  const rest: Call['words'][number][] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word, name, value] = words.slice(at, at + 3);
    if (word?.text === '--') return { names, words: [...rest, ...words.slice(at)] };
    if (isVariable(word, name, value)) {
      names.push(`$${name?.text}`);
      at += 2;
    } else {
      const own = words.slice(at, at + (word?.text === '--indent' ? 2 : 1));
      rest.push(...own);
      at += own.length - 1;
    }
  }
  return { names, words: rest };
}

type Maybe = Call['words'][number] | undefined;

function isVariable(word: Maybe, name: Maybe, value: Maybe): boolean {
  if (word?.text !== '--arg' && word?.text !== '--argjson') return false;
  return name?.known === true && /^[A-Za-z]\w*$/.test(name.text) && value?.known === true && !value.glob;
}

const YQ: Reader = { short: 'r', operands: 'textThenPaths', most: 2, stdin: [] };

/** Two programs share this name: a path of plain keys means the same to both, everything else may not. */
export function yqReads(call: Call): ReadVerdict {
  const given = parseArguments(YQ, call.words);
  if ('refused' in given) return given;
  return /^(?:\.|(?:\.[A-Za-z_]\w*|\[\d{0,4}\])+(?: \| (?:keys|length))?)$/.test(given.operands[0]?.text ?? '')
    ? judgeRead(YQ, call)
    : { refused: 'the yq expression is not known to only read its input' };
}

function jqOnlyShapes(filter: string, names: ReadonlyArray<string>): boolean {
  const code = emptyStrings(filter)?.replaceAll(FORMAT, '');
  if (code === undefined || /["#\\@$`]/.test(code.replaceAll('""', '').replaceAll(VARIABLE, ''))) return false;
  if (/\$ENV\b/.test(code)) return false;
  const bound = new Set([...names, ...[...code.matchAll(/\bas\s+(\$\w+)/g)].map(([, name]) => name)]);
  if ([...code.matchAll(VARIABLE)].some(([name]) => !bound.has(name))) return false;
  const words = withoutKeys(code.replaceAll(VARIABLE, '')).matchAll(/(\.*)([A-Za-z_]\w*)(\s*:(?!:))?/g);
  return [...words].every(([, dot, word, colon]) => dot === '.' || colon !== undefined || WORDS.has(word ?? ''));
}

/** Formats that only change the notation of a value. */
const FORMAT = /@(?:csv|tsv|json|text|uri|html|base64)\b/g;

/** `{id, name}` picks the fields of these names. */
function withoutKeys(code: string): string {
  return code.replaceAll(/\{[^{}[\]()]*\}/g, (object) => object.replaceAll(/(?<=[{,])\s*\w+\s*(?=[,}])/g, ''));
}

const VARIABLE = /\$[A-Za-z]\w*/g;

const WORDS: ReadonlySet<string> = new Set(
  'add all any arrays as ascii_downcase ascii_upcase booleans ceil contains del elif else empty end endswith first flatten floor from_entries fromjson group_by has if in index indices inside join keys keys_unsorted last length limit ltrimstr map map_values max max_by min min_by not null nulls numbers objects or and paths pick reverse round rtrimstr scalars select sort sort_by split startswith strings test then to_entries todate tojson tonumber tostring transpose true false type unique unique_by values with_entries reduce try catch error iterables leaf_paths getpath sub walk explode implode fromdate trim ltrim rtrim abs sqrt pow isempty'.split(
    ' ',
  ),
);
