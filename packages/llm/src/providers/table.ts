/**
 * The services that we know by name. A compatible service is one row: its base URL as in its own documentation, the variable with its key,
 * and whether it works without one.
 */
export type ServiceRow = {
  readonly id: string;
  readonly protocol: 'anthropic' | 'openai' | 'openai-chat' | 'gemini';
  readonly baseUrl: string;
  readonly keyVariables: ReadonlyArray<string>;
  /** Variables with a token that goes as `Authorization: Bearer`, and wins over a key. */
  readonly tokenVariables?: ReadonlyArray<string>;
  readonly baseUrlVariables?: ReadonlyArray<string>;
  readonly key: 'required' | 'optional';
  /** Modes of tool choice that the service honours; absent means all. */
  readonly toolChoices?: ReadonlyArray<'auto' | 'none' | 'required' | 'named'>;
};

export const SERVICES: ReadonlyArray<ServiceRow> = [
  {
    id: 'anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    keyVariables: ['ANTHROPIC_API_KEY'],
    tokenVariables: ['ANTHROPIC_AUTH_TOKEN'],
    baseUrlVariables: ['ANTHROPIC_BASE_URL'],
    key: 'required',
  },
  {
    id: 'openai',
    protocol: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'],
    baseUrlVariables: ['OPENAI_BASE_URL'],
    key: 'required',
  },
  {
    id: 'gemini',
    protocol: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrlVariables: ['GEMINI_BASE_URL'],
    key: 'required',
  },
  {
    id: 'openai-chat',
    protocol: 'openai-chat',
    baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_CHAT_API_KEY', 'OPENAI_API_KEY'],
    baseUrlVariables: ['OPENAI_CHAT_BASE_URL', 'OPENAI_BASE_URL'],
    key: 'optional',
  },
  {
    id: 'ollama',
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keyVariables: ['OLLAMA_API_KEY'],
    baseUrlVariables: ['OLLAMA_BASE_URL'],
    key: 'optional',
    toolChoices: ['auto', 'none'],
  },
  {
    id: 'lmstudio',
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:1234/v1',
    keyVariables: ['LMSTUDIO_API_KEY'],
    baseUrlVariables: ['LMSTUDIO_BASE_URL'],
    key: 'optional',
  },
  {
    id: 'vllm',
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8000/v1',
    keyVariables: ['VLLM_API_KEY'],
    baseUrlVariables: ['VLLM_BASE_URL'],
    key: 'optional',
  },
  {
    id: 'llamacpp',
    protocol: 'openai-chat',
    baseUrl: 'http://127.0.0.1:8080/v1',
    keyVariables: ['LLAMACPP_API_KEY'],
    baseUrlVariables: ['LLAMACPP_BASE_URL'],
    key: 'optional',
  },
  {
    id: 'openrouter',
    protocol: 'openai-chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'],
    key: 'required',
  },
  {
    id: 'groq',
    protocol: 'openai-chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'],
    key: 'required',
  },
  {
    id: 'together',
    protocol: 'openai-chat',
    baseUrl: 'https://api.together.xyz/v1',
    keyVariables: ['TOGETHER_API_KEY'],
    key: 'required',
  },
  {
    id: 'fireworks',
    protocol: 'openai-chat',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'],
    key: 'required',
  },
  {
    id: 'deepseek',
    protocol: 'openai-chat',
    baseUrl: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'],
    key: 'required',
  },
  {
    id: 'mistral',
    protocol: 'openai-chat',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'],
    key: 'required',
  },
  {
    id: 'xai',
    protocol: 'openai-chat',
    baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'],
    key: 'required',
  },
  {
    id: 'cerebras',
    protocol: 'openai-chat',
    baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'],
    key: 'required',
  },
  {
    id: 'zai',
    protocol: 'openai-chat',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariables: ['ZAI_API_KEY', 'ZHIPUAI_API_KEY'],
    key: 'required',
  },
  {
    id: 'moonshot',
    protocol: 'openai-chat',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariables: ['MOONSHOT_API_KEY'],
    key: 'required',
  },
];

export function serviceRow(id: string): ServiceRow | undefined {
  return SERVICES.find((row) => row.id === id);
}
