/** What is asked, without the title that stands beside it anyway: `Approve the plan: Fix it` beside `Fix it` says `Approve the plan`. */
export function besideTitle(text: string, title: string): string {
  const end = `: ${title}`;
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}
