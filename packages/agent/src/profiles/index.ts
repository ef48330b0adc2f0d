export { createAnthropicProfile } from './anthropic.ts';
