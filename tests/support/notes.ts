import { Journal, type JournalOptions } from "../../provider/resources/ledger/journal";
import { Notes, type NotesOptions } from "../../provider/resources/ledger/notes";

let processes = 0;

/** The notes of a new process in `folder`, as the provider host of an engine keeps them. Default: all others have ended. */
export function notesIn(folder: string, options: Partial<JournalOptions> & NotesOptions = {}): Notes {
  const journal = new Journal({ folder, pid: ++processes, stateOf: () => "ended", ...options });
  return new Notes(journal, { closesWithEngine: true, ...options });
}
