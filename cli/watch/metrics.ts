import type { Finding } from "../../drift/finding";
import type { Round } from "./round";

/** The state of a watch in the text format of Prometheus. */
export class Metrics {
  readonly #rounds = new Map<Round["result"], number>();
  #requests = 0;
  #lastComplete = 0;
  #findings: readonly Finding[] = [];

  /** Counts a round that ended at `time`, in milliseconds. @param findings the known findings after it */
  count(round: Round, findings: readonly Finding[], time: number): void {
    this.#rounds.set(round.result, (this.#rounds.get(round.result) ?? 0) + 1);
    this.#findings = findings;
    if (round.result === "failed") return;
    this.#requests += round.requests;
    if (round.result !== "unreadable") this.#lastComplete = time;
  }

  get text(): string {
    const bySort = Map.groupBy(this.#findings, (finding) => labels({ class: finding.class, severity: finding.severity }));
    const results = ["clean", "drift", "unreadable", "failed"] as const;
    return [
      ...metric("findings", "gauge", "Known findings, by class and severity.", [
        ...[...bySort].map(([sort, of]): Sample => [sort, of.length]),
        ...(bySort.size === 0 ? [["", 0] satisfies Sample] : []),
      ]),
      ...metric(
        "rounds_total",
        "counter",
        "Checks, by result.",
        results.map((result): Sample => [labels({ result }), this.#rounds.get(result) ?? 0]),
      ),
      ...metric("last_complete_round_timestamp_seconds", "gauge", "When everything was last read; 0 if never.", [
        ["", this.#lastComplete / 1000],
      ]),
      ...metric("requests_total", "counter", "Requests that the checks sent.", [["", this.#requests]]),
    ].join("");
  }
}

type Sample = readonly [labels: string, value: number];

function metric(name: string, type: "gauge" | "counter", help: string, samples: readonly Sample[]): string[] {
  const full = `platform_drift_${name}`;
  return [`# HELP ${full} ${help}\n# TYPE ${full} ${type}\n`, ...samples.map(([of, value]) => `${full}${of} ${value}\n`)];
}

function labels(values: Readonly<Record<string, string>>): string {
  const escaped = (value: string) => value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `{${Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",")}}`;
}
