// The floor: a program that asks the terminal for its keys and writes them back.
process.stdin.setRawMode(true);
process.stdout.write('\r› ');
process.stdin.on('data', (keys) => process.stdout.write(keys));
