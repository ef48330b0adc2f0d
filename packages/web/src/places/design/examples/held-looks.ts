/** What a pointer or a key brings about is shown standing still: each rule for it holds inside `data-look`, too. */
export function holdLooks(): void {
  for (const sheet of document.styleSheets) {
    if (held.has(sheet)) continue;
    held.add(sheet);
    rewrite(sheet.cssRules);
  }
}

const held = new WeakSet<CSSStyleSheet>();
const FOCUSABLE = ':is(a, button, input, select, textarea, summary, [tabindex="0"])';

function rewrite(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) hold(rule);
    if (rule instanceof CSSStyleRule || rule instanceof CSSGroupingRule) rewrite(rule.cssRules);
  }
}

function hold(rule: CSSStyleRule): void {
  const selector = heldSelector(rule.selectorText);
  if (selector !== rule.selectorText) rule.selectorText = selector;
}

/** A colon after a backslash is part of a class's name. */
function heldSelector(selector: string): string {
  return selector.replaceAll(/(?<!\\):(hover|active|focus-visible|focus)(?![\w-])/g, (own, name: string) => {
    const look = name.startsWith('focus') ? 'focus' : name;
    return `:is(${own}, [data-look='${look}'] ${look === 'focus' ? FOCUSABLE : '*'})`;
  });
}
