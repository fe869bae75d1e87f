/**
 * Makes stack traces empty until the returned function is called. Otherwise the engine stores the stack trace of a resource's constructor
 * in state, with paths of this machine and a fifth of the resource's bytes.
 */
export function hideFrames(): () => void {
  const prepareStackTrace: unknown = Reflect.get(Error, "prepareStackTrace");
  Error.prepareStackTrace = (error) => String(error);
  return () => Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
}
