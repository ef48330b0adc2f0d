export { openRpc, type Rpc, RpcError, type RpcFailure, type RpcSide } from './open-rpc.ts';
export { parseLine, readLines } from './read-lines.ts';
