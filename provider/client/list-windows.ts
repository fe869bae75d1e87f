import type { WireObject } from "./collection";
import { isTooLarge, PlatformError } from "./errors";
import { endless, maxPages, type Page, type Pages, unique } from "./list-page";
import { makeSmaller } from "./next-step";

/** A row larger than the limit of answers. */
export interface UnreadRow {
  /** Its uid, if the List was asked for this object alone. Otherwise nothing shows its uid. */
  readonly uid?: string;
  /** Its number in the List, from 1. */
  readonly position: number;
  /** Uid of the nearest readable row before it; absent for the first row. */
  readonly after?: string;
}

/** The readable part of a List. */
export interface Listed<Wire> {
  readonly rows: Wire[];
  /** If empty, `rows` is complete. */
  readonly unread: readonly UnreadRow[];
}

/** Maximum number of unreadable rows of a List, because each costs several requests. */
const mostUnread = 32;

/** Maximum number of characters of all rows of a List that is read in parts, because they stay in memory. */
const longestList = 256 * 1024 * 1024;

/** Maximum number of readings of a List from its start if rows come or go meanwhile. */
const mostAttempts = 3;

/** Number of consecutive pages that must fit before a larger page is requested. */
const patience = 3;

/** Maximum number of rows in an error. */
const mostNamed = 5;

/**
 * Every row of a List with a page that is too large. The List is read in parts of half the size, down to single rows, one after another.
 *
 * @throws PlatformError `isTooLarge` if too much remains unread; `UNEXPECTED_ANSWER` if the List changes all the time
 */
export async function rowsInWindows<Wire extends WireObject>(pages: Pages<Wire>): Promise<Listed<Wire>> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const listed = await new Windows(pages).read();
    if (listed !== undefined) return listed;
  }
  const why = "rows came or went each time while it was read in parts. Run again.";
  throw new PlatformError("UNEXPECTED_ANSWER", `${pages.what}: ${why}`);
}

/** The unreadable rows, for people: `the row after root/ci (number 13) is larger than any answer that is read`. */
export function unreadInWords(unread: readonly UnreadRow[]): string {
  const names = unread.slice(0, mostNamed).map(({ uid, position, after }) => {
    if (uid !== undefined) return `that of ${uid}`;
    return after === undefined ? `number ${position}` : `number ${position}, after ${after}`;
  });
  const more = unread.length > mostNamed ? `; and ${unread.length - mostNamed} more` : "";
  const [rows, are] = unread.length === 1 ? ["1 row", "is"] : [`${unread.length} rows`, "are"];
  return `${rows} of the List ${are} larger than any answer that is read: ${names.join("; ")}${more}`;
}

/** The error for an incomplete List, whose missing objects may still exist. */
export function incomplete(what: string, unread: readonly UnreadRow[]): PlatformError {
  return new PlatformError("UNEXPECTED_ANSWER", `${what}: ${unreadInWords(unread)}.\n${makeSmaller}`, { isTooLarge: true });
}

/** One reading of a List, by position. */
class Windows<Wire extends WireObject> {
  readonly #rows: Wire[] = [];
  readonly #unread: UnreadRow[] = [];
  /** Number of rows passed, readable or not. */
  #position = 0;
  /** The last row that was read, and its position. */
  #last: { readonly uid: string; readonly at: number } | undefined;
  #size: number;
  /** Number of pages of this size that have fit. */
  #fitting = 0;
  /** True after an unreadable row, which explains why larger pages did not fit. */
  #isExplained = false;
  /** True if the row at the position does not fit into one page with the row before it. */
  #isAlone = false;
  #characters = 0;

  constructor(private readonly pages: Pages<Wire>) {
    this.#size = Math.max(1, Math.floor(pages.pageSize / 2));
  }

  /** @returns undefined if rows came or went meanwhile */
  async read(): Promise<Listed<Wire> | undefined> {
    for (let count = 0; count < maxPages; count++) {
      // The last row is requested again to prove that no row came or went in between.
      const overlap = !this.#isAlone && this.#last?.at === this.#position - 1 ? 1 : 0;
      const page = await this.#page(this.#position - overlap, this.#size + overlap);
      if (page === undefined) {
        this.#tooLarge(overlap);
        continue;
      }
      const isJoined = overlap === 1 ? page.rows[0]?.uid === this.#last?.uid : await this.#isLastStillThere();
      if (!isJoined) return undefined;
      this.#add(page.rows.slice(overlap));
      if (page.nextPageToken === "") return { rows: unique(this.#rows), unread: this.#unread };
      if (page.rows.length === overlap) break;
    }
    throw endless(this.pages.what, maxPages);
  }

  /** @returns undefined for a page that is too large */
  async #page(skip: number, size: number): Promise<Page<Wire> | undefined> {
    try {
      return await this.pages.page({ skip, page_size: size });
    } catch (error) {
      if (isTooLarge(error)) return undefined;
      throw error;
    }
  }

  /** True if the last row is still at its position. Unreadable rows after it show nothing of themselves. */
  async #isLastStillThere(): Promise<boolean> {
    if (this.#last === undefined) return true;
    const page = await this.#page(this.#last.at, 1);
    return page?.rows[0]?.uid === this.#last.uid;
  }

  #add(rows: readonly Wire[]): void {
    this.#characters += JSON.stringify(rows).length;
    if (this.#characters > longestList)
      throw this.#failed(`its rows are larger than ${longestList} characters together, the most that is read.`);
    this.#rows.push(...rows);
    this.#position += rows.length;
    const last = rows.at(-1);
    if (last !== undefined) this.#last = { uid: last.uid, at: this.#position - 1 };
    this.#isAlone = false;
    this.#fitting++;
    if (!this.#isExplained && this.#fitting < patience) return;
    this.#size = Math.min(this.pages.pageSize - 1, this.#size * 2) || 1;
    this.#fitting = 0;
  }

  #tooLarge(overlap: number): void {
    this.#fitting = 0;
    if (this.#size > 1) {
      this.#size = Math.floor(this.#size / 2);
      this.#isExplained = false;
      return;
    }
    if (overlap === 1) {
      this.#isAlone = true;
      return;
    }
    this.#unread.push({ position: this.#position + 1, ...(this.#last !== undefined && { after: this.#last.uid }) });
    if (this.#unread.length > mostUnread)
      throw this.#failed(`more than ${mostUnread} of its rows are larger than any answer that is read.`);
    this.#position++;
    this.#isAlone = false;
    this.#isExplained = true;
  }

  #failed(why: string): PlatformError {
    return new PlatformError("UNEXPECTED_ANSWER", `${this.pages.what}: ${why}\n${makeSmaller}`, { isTooLarge: true });
  }
}
