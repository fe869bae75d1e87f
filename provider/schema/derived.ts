/** `derive` of a declaration, done once: declarations never change. */
export function derivedOnce<Of extends object, Result>(derive: (of: Of) => Result): (of: Of) => Result {
  const known = new WeakMap<Of, { readonly result: Result }>();
  return (of) => {
    const { result } = known.get(of) ?? { result: derive(of) };
    known.set(of, { result });
    return result;
  };
}
