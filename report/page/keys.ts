/** Actions of a widget, by the name of the key. */
export type Keys = Readonly<Record<string, () => void>>;

/** Runs the action of the pressed key instead of the browser's. Does nothing for other keys. */
export function press(event: KeyboardEvent, keys: Keys): void {
  const action = keys[event.key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
