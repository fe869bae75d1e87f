import { useState } from "preact/hooks";

const schemes = ["light dark", "light", "dark"] as const;
const names = { "light dark": "as the system", light: "light", dark: "dark" };

/** Switches between the system's colours, light and dark. */
export function ThemeButton() {
  const [scheme, setScheme] = useState<(typeof schemes)[number]>("light dark");
  const next = schemes[(schemes.indexOf(scheme) + 1) % schemes.length] ?? "light dark";
  return (
    <button
      type="button"
      class="theme"
      onClick={() => {
        document.documentElement.style.colorScheme = next;
        setScheme(next);
      }}
    >
      Colours: {names[scheme]}
    </button>
  );
}
