export { createAnthropicProfile } from './anthropic.ts';
export { createProfile, profileFor } from './choose.ts';
export { createGeminiProfile } from './gemini.ts';
export { createOpenAiProfile } from './openai.ts';

export type { ProfileOptions, ToolPorts } from './ports.ts';
export { toolsAlone } from './tools-alone.ts';
