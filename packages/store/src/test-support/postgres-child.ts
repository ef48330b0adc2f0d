import { startPostgres } from './postgres-server.ts';

/**
 * A PostgreSQL server for measurements: `node postgres-child.ts COUNT` prints the addresses of that many empty databases; ends with stdin.
 */
const server = await startPostgres();
const urls: string[] = [];
for (let index = 0; index < Number(process.argv[2] ?? 1); index += 1) urls.push(await server.database());
process.stdout.write(`${JSON.stringify(urls)}\n`);
for await (const _chunk of process.stdin);
await server.stop();
