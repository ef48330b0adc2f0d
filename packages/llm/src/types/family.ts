/** Models that like to be spoken to in the same way: what their tools are called, how their system text reads. */
export type ModelFamily = 'openai' | 'anthropic' | 'gemini';
