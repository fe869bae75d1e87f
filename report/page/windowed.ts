import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Rows (or columns) rendered beyond the visible part, so that scrolling shows no gaps. */
const OVERSCAN = 8;

/** The rendered part of a long list, from index `from` to `to` (exclusive). All items have the same size. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A scrolling element that renders only its visible part. Sizes are in pixels. */
export interface Windowed {
  readonly ref: { current: HTMLDivElement | null };
  readonly onScroll: () => void;
  readonly rows: Span;
  readonly columns: Span;
  /** Scrolls until the cell is visible. */
  show(row: number, column?: number): void;
}

interface Grid {
  readonly rowCount: number;
  readonly rowHeight: number;
  /** Height of the part that stays at the top. */
  readonly headHeight?: number;
  readonly columnCount?: number;
  readonly columnWidth?: number;
  /** Width of the part that stays at the left. */
  readonly headWidth?: number;
}

/** Renders only the visible part of a grid, so that ten thousand rows cost as much as fifty. */
export function useWindowed({
  rowCount,
  rowHeight,
  headHeight = 0,
  columnCount = 1,
  columnWidth = 1,
  headWidth = 0,
}: Grid): Windowed {
  const ref = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, height: 0, width: 0 });
  const measure = () => {
    const element = ref.current;
    if (element === null) return;
    setView({ top: element.scrollTop, left: element.scrollLeft, height: element.clientHeight, width: element.clientWidth });
  };
  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return {
    ref,
    onScroll: measure,
    rows: spanOf(view.top, view.height, rowHeight, rowCount),
    columns: spanOf(view.left, view.width, columnWidth, columnCount),
    show(row, column) {
      const element = ref.current;
      if (element === null) return;
      element.scrollTop = within(element.scrollTop, element.clientHeight - headHeight, row * rowHeight, rowHeight);
      if (column !== undefined)
        element.scrollLeft = within(element.scrollLeft, element.clientWidth - headWidth, column * columnWidth, columnWidth);
    },
  };
}

function spanOf(start: number, length: number, size: number, count: number): Span {
  const from = Math.max(0, Math.floor(start / size) - OVERSCAN);
  return { from: Math.min(from, count), to: Math.min(count, Math.ceil((start + length) / size) + OVERSCAN) };
}

/** The nearest scroll position at which the item is visible. */
function within(scroll: number, length: number, start: number, size: number): number {
  return Math.max(start + size - length, Math.min(scroll, start));
}

/** The indices of a span. */
export function indices({ from, to }: Span): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
}
