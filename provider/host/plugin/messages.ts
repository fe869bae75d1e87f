import { AsyncLocalStorage } from "node:async_hooks";
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { printable } from "../../client/printable";
import { redact } from "../../client/redact";

/** The mark of a warning among the messages of a run. */
const warning = "warning: ";

/** Shows messages to the user through the engine, which hides the output of a plugin. */
export class Messages {
  readonly #urns = new AsyncLocalStorage<string>();
  readonly #sending = new Set<Promise<void>>();
  readonly #engine: EngineClient | undefined;

  /** @param engine its address; empty if a person has started this process */
  constructor(engine: string) {
    this.#engine = engine === "" ? undefined : new EngineClient(engine, credentials.createInsecure());
  }

  /** Runs `work`, whose messages concern the resource `urn`. Ends when the engine has received them. */
  async about<Result>(urn: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#urns.run(urn, work);
    } finally {
      await Promise.all(this.#sending);
    }
  }

  /** Shows `text`. */
  readonly show = (text: string): void => {
    const engine = this.#engine;
    if (engine === undefined) {
      process.stderr.write(`${printable(text)}\n`);
      return;
    }
    const isWarning = text.startsWith(warning);
    const severity = isWarning ? LogSeverity.WARNING : LogSeverity.INFO;
    this.#log(engine, severity, isWarning ? text.slice(warning.length) : text);
  };

  /** Shows `text` as the engine shows the output of its dynamic provider host. */
  readonly print = (text: string): void => {
    if (this.#engine !== undefined) this.#log(this.#engine, LogSeverity.INFO, text);
  };

  #log(engine: EngineClient, severity: LogSeverity, text: string): void {
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(printable(redact(text)));
    request.setUrn(this.#urns.getStore() ?? "");
    const sending = new Promise<void>((resolve) => {
      // An engine that is gone shows no messages.
      engine.log(request, () => resolve());
    }).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }
}
