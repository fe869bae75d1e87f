import { printable } from "../../client/printable";
import type { Inputs } from "../../schema/kind";
import type { Run } from "../../resources/run/run";
import type { Life } from "../../resources/object/life";
import { type DynamicProvider, dynamically } from "../dynamic";
import type { Settings } from "../explicit-provider";
import { Failure } from "../failure";
import type { LoadedProvider } from "../plugin/connections";
import { Messages } from "../plugin/messages";
import type { RunsFor } from "../plugin/attached";
import { sharedBy } from "../session";
import type { Report } from "./report";

/** A type of dynamic resources of this package. */
export interface DynamicType {
  /** The text in `__provider` by which Pulumi's host loads the code of the type. It is compared here, never evaluated. */
  readonly text: string;
  readonly life: Life;
}

/** The dynamic resources of this package, on a connection of the engine. Pulumi's host has a process for each connection. */
export class ConnectedDynamicProvider implements LoadedProvider {
  phase: LoadedProvider["phase"] = "loaded";
  messages = new Messages("");
  #engine = "";
  readonly #runs: Run[] = [];
  readonly #types: ReadonlyMap<string, { readonly text: string; readonly provider: DynamicProvider }>;

  /** @param types by the type in the URN */
  constructor(
    types: ReadonlyMap<string, DynamicType>,
    private readonly report: Report,
    runs: RunsFor,
  ) {
    const runOf = sharedBy((settings) => this.#opened(runs(this.#host)(settings)));
    this.#types = new Map(
      [...types].map(([type, { text, life }]) => [type, { text, provider: dynamically(life, runOf) }] as const),
    );
  }

  get #host() {
    // The engine shows each line that Pulumi's host prints, unchanged.
    return { engine: this.#engine, notify: this.messages.print };
  }

  attach(address: string): void {
    this.#engine = address;
    this.messages = new Messages(address);
  }

  configure(settings: Settings): void {
    this.phase = "serving";
    const config = { rawConfig: settings, get: (key: string) => settings[key] };
    for (const { provider } of this.#types.values()) void provider.configure({ config });
  }

  #opened(run: Run): Run {
    this.#runs.push(run);
    return run;
  }

  /** Ends the run. Pulumi's host ignores the engine's Cancel and ends with its engine. */
  end(): void {
    if (this.phase === "serving") this.phase = "ended";
    for (const run of this.#runs) run.ledger.notes.close();
  }

  /**
   * The provider that serves a resource.
   *
   * @param properties with the text that serves it
   * @throws Failure for a resource of another package or program. Its code is never run
   */
  of(urn: string, type: string, { __provider: text }: Inputs): DynamicProvider {
    const known = this.#types.get(type);
    if (known !== undefined && known.text === text) return known.provider;
    this.report.refused(urn);
    throw new Failure(
      `${printable(urn)} is a dynamic resource of other code than this release of pulumi-platform. This run does not execute it. [CONFIGURATION]`,
    );
  }
}
