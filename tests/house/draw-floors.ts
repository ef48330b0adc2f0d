// `npm run floors`: draws the picture in the map for contributors anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE, withPicture } from './floors-picture.ts';
import { CHECKOUT } from './tree.ts';

const file = join(CHECKOUT, PAGE);
const page = readFileSync(file, 'utf8');
writeFileSync(file, withPicture(page));
process.stdout.write(`${PAGE}: ${withPicture(page) === page ? 'the floors are up to date' : 'the floors are drawn'}\n`);
