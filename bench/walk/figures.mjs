/** The figures of a record of instrument.mjs. `before` is the number of calls before the first request; undefined if none was sent. */
export function figuresOf({ calls, callbacks, requests }) {
  return {
    calls: calls.length,
    functions: new Set(calls.map(({ name, file, line }) => `${file}:${line} ${name}`)).size,
    files: new Set(calls.map(({ file }) => file)).size,
    changes: calls.filter(({ file }, number) => number > 0 && file !== calls[number - 1].file).length,
    before: requests[0]?.at,
    requests: requests.length,
    callbacks,
  };
}

/** The figures as a sentence. */
export function sentenceOf({ calls, functions, files, changes, before, requests, callbacks }) {
  const sent = before === undefined ? "no request" : `${before} calls before the first of ${requests} requests`;
  return `${calls} calls of ${functions} functions in ${files} files, ${changes} changes of file, ${sent}; and ${callbacks} callbacks`;
}
