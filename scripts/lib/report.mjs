/** Runs the stages one after the other, never stopping at a failure, and prints what a person wants to know of each. */
export async function runStages(stages, context) {
  const results = [];
  for (const [index, stage] of stages.entries()) {
    const title = `[${index + 1}/${stages.length}] ${stage.name}`;
    context.print(`\n${title} …`);
    const result = await runStage(stage, context);
    results.push(result);
    context.print(`${title}: ${verdict(result)} in ${result.seconds.toFixed(1)} s`);
    for (const failure of result.failures) context.print(indent(failure));
    if (stage.vital && result.failed > 0) break;
  }
  return summarise(results, stages.length, context.print);
}

async function runStage(stage, context) {
  const started = performance.now();
  const result = await stage.run(context).catch((error) => ({ passed: 0, failed: 1, failures: [error.message] }));
  return { failures: [], ...result, name: stage.name, seconds: (performance.now() - started) / 1000 };
}

function verdict({ failed, note }) {
  const word = failed === 0 ? 'ok' : `${failed} failed`;
  return note === undefined ? word : `${word} (${note})`;
}

/** The last line is a contract: `N passed, N failed`. */
function summarise(results, wanted, print) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  print('');
  for (const { name, failures } of results) for (const failure of failures) print(`FAILED ${name}: ${brief(failure)}`);
  if (results.length < wanted)
    print(`${wanted - results.length} stages did not run, for lack of ${results.at(-1).name}`);
  print(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') === 0;
}

function brief(failure) {
  const lines = failure.split('\n');
  return lines.length <= 3 ? failure : `${lines.slice(0, 3).join('\n  ')}\n  … (${lines.length - 3} more lines above)`;
}

function indent(text) {
  return text.replaceAll(/^/gm, '  ');
}
