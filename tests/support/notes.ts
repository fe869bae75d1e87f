import { Journal, type JournalOptions } from "../../provider/resources/ledger/journal";
import { Notes, type NotesOptions } from "../../provider/resources/ledger/notes";

/** The notes of a process in `folder`, as the provider host of an engine keeps them. Default: all other processes have ended. */
export function notesIn(folder: string, options: Partial<JournalOptions> & NotesOptions = {}): Notes {
  return new Notes(new Journal({ folder, start: 0, stateOf: () => "ended", ...options }), { closesWithEngine: true, ...options });
}
