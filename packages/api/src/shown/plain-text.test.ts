import { describe, expect, it } from 'vitest';
import { showControls, showOutput, typeset } from './plain-text.ts';

describe('text from outside', () => {
  it('cannot hide or reorder what it says', () => {
    expect(showControls('rm -rf /\r# harmless')).toBe('rm -rf /⟨CR⟩# harmless');
    expect(showControls('a\u202eb\u2066c\u200bd')).toBe('a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d');
    expect(showControls('\u001b]0;title\u0007\u0000\u0008\u009b')).toBe('⟨ESC⟩]0;title⟨BEL⟩⟨NUL⟩⟨BS⟩⟨U+009B⟩');
  });

  it('keeps its lines, tabs and letters of any language', () => {
    const text = 'naïve\tκόσμος\n日本語 🎉';
    expect(showControls(text)).toBe(text);
    expect(showOutput(text)).toBe(text);
  });

  it('keeps the joiners that pictures and languages are spelled with, and shows those that hide in a word', () => {
    for (const text of ['👩\u200d👩\u200d👧', '👩🏽\u200d🚀 🏳️\u200d🌈', 'می\u200cخواهم', 'क्\u200dष'])
      expect(showControls(text)).toBe(text);
    expect(showControls('pay\u200dpal\u200c 👩\u200d')).toBe('pay⟨U+200D⟩pal⟨U+200C⟩ 👩⟨U+200D⟩');
  });

  it('has the quotes of print where the sentence is ours, and those of a keyboard in what is typed', () => {
    expect(typeset(`"Ship it" can't pass: say \`echo "it's"\`.`)).toBe('“Ship it” can’t pass: say `echo "it\'s"`.');
    expect(typeset("5\" and 'x'")).toBe("5\" and 'x'");
  });

  it('loses only the colour codes of terminals when it is output', () => {
    expect(showOutput('\u001b[32m✔\u001b[39m passed\r\n\u001b[2K\u001b[1;31mfailed')).toBe('✔ passed\nfailed');
    expect(showOutput('\u001b[2J')).toBe('⟨ESC⟩[2J');
  });
});
