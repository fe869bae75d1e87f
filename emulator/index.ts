export { startEmulator, type Emulator, type EmulatorOptions } from "./emulator";
export type { CopyReport, InexactPart } from "../copy/report";
