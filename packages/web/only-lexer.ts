import type { Plugin } from 'vite';

/** In the library, from here on: an instance that writes HTML, and everything under the name of a function. */
const WRITER = /\bvar (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\(/;
const LEXER = /\b(\w+) as Lexer\b/;

/** Of the reader of Markdown only what cuts a text into tokens: the app writes no HTML, and no page loads what would. */
export function onlyLexer(): Plugin {
  return {
    name: 'only-lexer',
    transform: {
      filter: { id: /\/marked\/lib\/marked\.esm\.js$/ },
      handler: (code) => {
        const [end, lexer] = [code.search(WRITER), LEXER.exec(code)?.[1]];
        if (end < 0 || lexer === undefined) throw new Error('marked is built another way: look at only-lexer.ts');
        return { code: `${code.slice(0, end)}export{${lexer} as Lexer};`, map: null };
      },
    },
  };
}
