import { press } from "./keys";

const views = ["Details", "Matrix", "Drift"] as const;

/** The views of the page beside the tree. */
export type View = (typeof views)[number];

/** Buttons that switch between the views, by mouse and by arrow keys. */
export function Tabs({ view, counts, onView }: Props) {
  const focus = (step: number) => {
    const next = views[(views.indexOf(view) + step + views.length) % views.length] ?? view;
    onView(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => press(event, { ArrowRight: () => focus(1), ArrowLeft: () => focus(-1) });
  return (
    <div role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
      {views.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === view}
          aria-controls="view"
          tabIndex={name === view ? 0 : -1}
          onClick={() => onView(name)}
        >
          {name}
          {counts[name] === undefined ? "" : ` (${counts[name]})`}
        </button>
      ))}
    </div>
  );
}

interface Props {
  readonly view: View;
  /** Numbers shown behind the names of the views. */
  readonly counts: Partial<Record<View, number | undefined>>;
  readonly onView: (view: View) => void;
}
