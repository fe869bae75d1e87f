import { z } from "zod";

const event = z.object({
  diagnosticEvent: z.object({ severity: z.string(), message: z.string(), urn: z.string().optional() }).optional(),
  policyEvent: z
    .looseObject({ message: z.string(), enforcementLevel: z.string(), resourceUrn: z.string().optional() })
    .optional(),
  summaryEvent: z.object({ resourceChanges: z.record(z.string(), z.number()).nullish() }).optional(),
});

/** An error with which an update ends. */
export interface RunError {
  readonly message: string;
  /** Absent for an error of the program, or of the whole update. */
  readonly urn?: string;
}

/** The errors in the engine's event log, each once. A summary that only repeats a resource's failure is left out. */
export function errorsIn(log: string): RunError[] {
  const events = log.split("\n").flatMap((line) => (line.trim() === "" ? [] : (event.safeParse(parsed(line)).data ?? [])));
  const found = events.flatMap(({ diagnosticEvent, policyEvent }): RunError[] => {
    if (diagnosticEvent?.severity === "error") return [withUrn(diagnosticEvent.message, diagnosticEvent.urn)];
    if (policyEvent?.enforcementLevel === "mandatory") return [withUrn(policyEvent.message, policyEvent.resourceUrn)];
    return [];
  });
  const errors = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  const own = errors.filter(({ message }) => !isSummary.test(message));
  return own.length > 0 ? own : errors;
}

const isSummary = /^(update|preview|destroy|refresh) failed$|^resource .* failed$/i;

function withUrn(message: string, urn: string | undefined): RunError {
  return { message: message.replaceAll(/<\{%.*?%\}>/g, "").trim(), ...(urn && { urn }) };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The engine was killed while it wrote this line.
    return undefined;
  }
}
