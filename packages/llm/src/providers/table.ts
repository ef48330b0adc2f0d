import type { CloudKey } from '../clouds/cloud-settings.ts';

/**
 * The services that we know by name. A compatible service is one row: its base URL as in its own documentation, the variable with its key,
 * and whether it works without one.
 */
export type ServiceRow = {
  readonly id: string;
  readonly protocol:
    | 'anthropic'
    | 'openai'
    | 'openai-chat'
    | 'gemini'
    | 'bedrock'
    | 'vertex'
    | 'vertex-anthropic'
    | 'azure';
  /** Absent in a cloud, where the address depends on region or resource. */
  readonly baseUrl?: string;
  readonly keyVariables: ReadonlyArray<string>;
  /** Variables with a token that goes as `Authorization: Bearer`, and wins over a key. */
  readonly tokenVariables?: ReadonlyArray<string>;
  readonly baseUrlVariables?: ReadonlyArray<string>;
  readonly key: 'required' | 'optional';
  /** Modes of tool choice that the service honours; absent means all. */
  readonly toolChoices?: ReadonlyArray<'auto' | 'none' | 'required' | 'named'>;
  readonly cloud?: CloudRow;
};

/** A service inside a cloud. It counts as set up if its key is, one of `impliedBy`, or if a switch says so; then it is the default. */
export type CloudRow = {
  readonly variables: Readonly<Partial<Record<CloudKey, ReadonlyArray<string>>>>;
  readonly needs: ReadonlyArray<CloudKey>;
  readonly impliedBy: ReadonlyArray<string>;
  readonly switches: ReadonlyArray<string>;
  /** Switches of those who ask through a gateway that knows them: no credentials of the cloud are looked for. */
  readonly unsigned: ReadonlyArray<string>;
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
    baseUrlVariables: ['GEMINI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
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
  {
    id: 'bedrock',
    protocol: 'bedrock',
    keyVariables: ['AWS_BEARER_TOKEN_BEDROCK'],
    baseUrlVariables: ['ANTHROPIC_BEDROCK_BASE_URL', 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME'],
    key: 'required',
    cloud: {
      variables: {
        region: ['AWS_REGION', 'AWS_DEFAULT_REGION'],
        accessKeyId: ['AWS_ACCESS_KEY_ID'],
        secretAccessKey: ['AWS_SECRET_ACCESS_KEY'],
        sessionToken: ['AWS_SESSION_TOKEN'],
        profile: ['AWS_PROFILE'],
        credentialsFile: ['AWS_SHARED_CREDENTIALS_FILE'],
        configFile: ['AWS_CONFIG_FILE'],
      },
      needs: ['region'],
      impliedBy: [],
      switches: ['CLAUDE_CODE_USE_BEDROCK'],
      unsigned: ['CLAUDE_CODE_SKIP_BEDROCK_AUTH'],
    },
  },
  {
    id: 'vertex',
    protocol: 'vertex',
    keyVariables: ['GOOGLE_VERTEX_ACCESS_TOKEN'],
    baseUrlVariables: ['GOOGLE_VERTEX_BASE_URL'],
    key: 'required',
    cloud: {
      variables: {
        project: ['GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT'],
        location: ['GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION'],
        credentialsFile: ['GOOGLE_APPLICATION_CREDENTIALS'],
        metadataHost: ['GCE_METADATA_HOST'],
      },
      needs: ['project', 'location'],
      impliedBy: ['GOOGLE_VERTEX_PROJECT'],
      switches: ['GOOGLE_GENAI_USE_VERTEXAI'],
      unsigned: [],
    },
  },
  {
    id: 'vertex-anthropic',
    protocol: 'vertex-anthropic',
    keyVariables: ['GOOGLE_VERTEX_ACCESS_TOKEN'],
    baseUrlVariables: ['ANTHROPIC_VERTEX_BASE_URL'],
    key: 'required',
    cloud: {
      variables: {
        project: ['ANTHROPIC_VERTEX_PROJECT_ID', 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT'],
        location: ['CLOUD_ML_REGION', 'GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION'],
        credentialsFile: ['GOOGLE_APPLICATION_CREDENTIALS'],
        metadataHost: ['GCE_METADATA_HOST'],
      },
      needs: ['project', 'location'],
      impliedBy: ['ANTHROPIC_VERTEX_PROJECT_ID'],
      switches: ['CLAUDE_CODE_USE_VERTEX'],
      unsigned: ['CLAUDE_CODE_SKIP_VERTEX_AUTH'],
    },
  },
  {
    id: 'azure',
    protocol: 'azure',
    keyVariables: ['AZURE_API_KEY', 'AZURE_OPENAI_API_KEY'],
    tokenVariables: ['AZURE_OPENAI_AD_TOKEN'],
    baseUrlVariables: ['AZURE_OPENAI_ENDPOINT'],
    key: 'required',
    cloud: {
      variables: { resource: ['AZURE_RESOURCE_NAME'], apiVersion: ['AZURE_API_VERSION', 'OPENAI_API_VERSION'] },
      needs: ['resource'],
      impliedBy: [],
      switches: [],
      unsigned: [],
    },
  },
];

export function serviceRow(id: string): ServiceRow | undefined {
  return SERVICES.find((row) => row.id === id);
}

const MAKERS: Readonly<Record<string, string>> = {
  bedrock: 'anthropic',
  vertex: 'gemini',
  'vertex-anthropic': 'anthropic',
  azure: 'openai',
};

/** Whose models a cloud mostly has; any other provider is its own maker. */
export function makerOf(provider: string): string {
  return Object.hasOwn(MAKERS, provider) ? (MAKERS[provider] ?? provider) : provider;
}
