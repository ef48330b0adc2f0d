import { whyForeign } from '../programs.ts';
import type { ExpandedWord, FoundFiles } from '../words.ts';
import type { Call, ReadVerdict } from './arguments.ts';

type Judge = (call: Call) => ReadVerdict;

/** `find … -exec wc -l {} +`: both must only read, the second one every file that may be found. */
export function findRuns(call: Call, find: Judge, judge: Judge): ReadVerdict {
  const at = call.words.findIndex(({ text }) => text === '-exec');
  if (at < 0) return find(call);
  const end = call.words.findIndex(({ text }, index) => index > at && (text === ';' || text === '+'));
  const before = call.words.slice(0, at);
  const looked = find({ ...call, words: before });
  if (end !== call.words.length - 1 || 'refused' in looked)
    return 'refused' in looked ? looked : { refused: 'find does more than run one reader' };
  const found = { ...filteredBy(before), folders: looked.reads, splits: null, dashed: false };
  return runOn(found, call.words.slice(at + 1, end), { call, judge, place: '{}' });
}

/** What the tests of find leave over: of a plain list of them each holds. */
export function filteredBy(words: ReadonlyArray<ExpandedWord>): Pick<FoundFiles, 'names' | 'onlyFiles'> {
  const texts = words.map(({ text }) => text);
  const either = namesOfEither(texts.slice(texts.findIndex((text) => text.startsWith('-'))));
  if (either !== null) return { names: either, onlyFiles: false };
  if (texts.some((text) => /^(?:-o|-or|!|-not|\(|\)|,|-prune)$/.test(text))) return { names: [], onlyFiles: false };
  const names = texts.filter((_text, at) => texts[at - 1] === '-name');
  const onlyFiles = texts.some((text, at) => text === 'f' && texts[at - 1] === '-type');
  return { names: names.slice(0, 1), onlyFiles };
}

/** `-name a -o -name b`, and nothing else; null: it is another list. */
function namesOfEither(tests: ReadonlyArray<string>): ReadonlyArray<string> | null {
  if (tests.length < 5 || tests.length % 3 !== 2) return null;
  const isEither = tests.every((text, at) => at % 3 === 1 || text === (at % 3 === 0 ? '-name' : '-o'));
  return isEither ? tests.filter((_text, at) => at % 3 === 1) : null;
}

/** `… | xargs wc -l`: a reader of every file that may be in the list. */
export function xargsRuns(call: Call, judge: Judge): ReadVerdict {
  if (call.piped === null) return { refused: 'what xargs is given is only known when it runs' };
  const { isNull, ...piped } = call.piped;
  if (piped.byGit !== undefined && !call.pathContext.asksGit)
    return { refused: 'which files git lists is only known when it runs' };
  let at = 0;
  let place: string | null = null;
  // Git writes other names than these between quotes.
  let splits = piped.byGit === undefined ? /[\s'"\\]/ : /[^!-~]|['"\\]/;
  for (; at < call.words.length; at += 1) {
    const { text, known } = call.words[at] ?? { text: '', known: false };
    if (!known) return { refused: 'an option of xargs is only known when it runs' };
    if (/^-(?:0|-null)$/.test(text) && isNull) splits = /\0/;
    else if (/^-[nPL]$/.test(text)) at += 1;
    else if (/^-I(?:\{\}|%|@)$/.test(text)) place = text.slice(2);
    else if (text === '-I' && /^(?:\{\}|%|@)$/.test(call.words[at + 1]?.text ?? '')) {
      at += 1;
      place = call.words[at]?.text ?? null;
    } else if (!/^-(?:r|t|[nPL]\d+|-no-run-if-empty)$/.test(text)) break;
  }
  if (isNull && splits.source !== '\\0') return { refused: 'xargs takes the whole list for one name' };
  const verdict = runOn({ ...piped, splits }, call.words.slice(at), { call, judge, place });
  const [folder] = piped.folders;
  if (piped.byGit === undefined || folder === undefined || 'refused' in verdict) return verdict;
  return { ...verdict, lists: { folder, lists: piped.byGit, splits } };
}

type Running = { readonly call: Call; readonly judge: Judge; readonly place: string | null };

function runOn(found: FoundFiles, words: ReadonlyArray<ExpandedWord>, { call, judge, place }: Running): ReadVerdict {
  const [name, ...rest] = words;
  if (call.pathContext.disk === null) return { refused: 'what is found is only known when it runs' };
  if (name === undefined || !name.known || !name.plain || name.glob)
    return { refused: 'which program runs is not known' };
  const file: ExpandedWord = {
    text: '{}',
    known: false,
    harmless: false,
    glob: false,
    plain: false,
    many: true,
    found,
  };
  const given = place === null ? [...rest, file] : rest.map((word) => (word.text === place ? file : word));
  // The path is put into the middle of a word too: of another path, of an option, of a script.
  const filled = place === null ? undefined : words.find(({ text }) => text !== place && text.includes(place));
  if (filled !== undefined) return { refused: `what ${call.name} makes of ${filled.text} is only known when it runs` };
  if (place !== null && !given.includes(file)) return { refused: `${name.text} is not given what is found` };
  const foreign = whyForeign(name.text, { wrappers: ['xargs'], cwds: call.cwds, pathContext: call.pathContext });
  return foreign === null ? judge({ ...call, name: name.text, words: given, piped: null }) : { refused: foreign };
}
