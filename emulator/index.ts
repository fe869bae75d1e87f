export { startEmulator, type Emulator, type EmulatorOptions } from "./emulator";
