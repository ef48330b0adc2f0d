/** Models with the same habits: the names of their tools, the style of their system text. */
export type ModelFamily = 'openai' | 'anthropic' | 'gemini';
