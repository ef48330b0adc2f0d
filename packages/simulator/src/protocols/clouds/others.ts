import type { Protocol } from '../../protocol.ts';
import { gemini } from '../gemini/protocol.ts';
import { openaiChat } from '../openai-chat/protocol.ts';
import { openaiResponses } from '../openai-responses/protocol.ts';
import { azureAuthentication, bearerAuthentication } from './authenticate.ts';

/** The same protocols behind the doors of a cloud. */
export const vertexGemini: Protocol = { ...gemini, authenticate: bearerAuthentication };
export const azureResponses: Protocol = { ...openaiResponses, authenticate: azureAuthentication };
export const azureChat: Protocol = { ...openaiChat, authenticate: azureAuthentication };
