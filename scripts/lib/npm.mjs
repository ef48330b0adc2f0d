/** Inside `npm start` npm names its own program; elsewhere it is the one on the PATH. */
export function npmCommand() {
  const inside = process.env.npm_execpath;
  return inside?.endsWith('.js') ? [process.execPath, inside] : ['npm'];
}
