export { CONTRACT_DIALOGUES, CONTRACT_FILES, type ContractDialogue, type ContractReply } from './dialogues.ts';
export { providerContract, type ContractCase, type ProviderWorld } from './provider-contract.ts';
export { claudeTestVariables, installedClaudeSdk } from './claude-sdk.ts';
