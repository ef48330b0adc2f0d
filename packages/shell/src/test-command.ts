import { forEachChild, type SyntaxNode, type TestCommand, type Word } from 'unbash';
import { draftOf, worsen, type Draft } from './draft.ts';
import { placeInside } from './paths.ts';
import { excerpt, scopeOf, type State, type Walk } from './walk-state.ts';
import { expandWord } from './words.ts';

const FILE_TESTS = /^-[abcdefghkprsuwxGLNOS]$/;

const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** `[[ … ]]`: texts and files are compared; names and numbers would be evaluated, and an index can run a command. */
export function judgeTest(node: TestCommand, state: State, walk: Walk): void {
  const draft = draftOf(excerpt(walk, node), state, { effect: 'read', reason: 'only tests a condition' });
  walk.drafts.push(draft);
  judgeExpression(node.expression, draft, { state, walk });
}

function judgeExpression(
  node: SyntaxNode,
  draft: Draft,
  { state, walk }: { readonly state: State; readonly walk: Walk },
): void {
  if (node.type === 'TestUnary') judgeWord(node.operand, draft, { state, walk, file: FILE_TESTS.test(node.operator) });
  if (node.type === 'TestUnary' && !FILE_TESTS.test(node.operator) && !/^-[nz]$/.test(node.operator))
    worsen(draft, 'unknown', `[[ ${node.operator} ]] evaluates what it is given`);
  if (node.type === 'TestBinary') {
    judgeWord(node.left, draft, { state, walk, file: false });
    judgeWord(node.right, draft, { state, walk, file: false });
    const isNumeric = NUMERIC.test(node.operator) && [node.left, node.right].every(({ text }) => /^-?\d+$/.test(text));
    if (!/^(?:==?|!=)$/.test(node.operator) && !isNumeric)
      worsen(draft, 'unknown', `[[ ${node.operator} ]] evaluates what it is given`);
  }
  if (node.type === 'Word') return;
  forEachChild(node, (child) => judgeExpression(child, draft, { state, walk }));
}

function judgeWord(
  word: Word,
  draft: Draft,
  { state, walk, file }: { readonly state: State; readonly walk: Walk; readonly file: boolean },
): void {
  if (walk.into.expansions(word, state, walk)) worsen(draft, 'unknown', 'runs a command inside a word');
  for (const expanded of expandWord(word, scopeOf(state, walk))) {
    const isText = !file && expanded.inert === true && expanded.shape !== undefined;
    if (!expanded.known && !isText) worsen(draft, 'unknown', `${expanded.text} is only known when it runs`);
    const places = file ? state.cwds.map((cwd) => placeInside(expanded, cwd, walk.pathContext)) : [];
    for (const place of places) if ('refused' in place) worsen(draft, 'unknown', place.refused);
  }
}
