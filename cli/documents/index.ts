import { z } from "zod";
import { accessDocument } from "./access";
import { doctorDocument } from "./doctor";
import { driftDocument } from "./drift";
import { exportDocument } from "./export";
import { forgetDocument } from "./forget";
import { fromTerraformDocument } from "./from-terraform";
import { ledgerDocument } from "./ledger";
import { rehearseDocument } from "./rehearse";
import { reportDocument } from "./report";
import { reviewDocument } from "./review";
import { watchDocument } from "./watch";
import { webhookDocument } from "./webhook";
import { whoamiDocument } from "./whoami";

const documents: Readonly<Record<string, z.ZodType>> = {
  access: accessDocument,
  doctor: doctorDocument,
  drift: driftDocument,
  export: exportDocument,
  forget: forgetDocument,
  "from-terraform": fromTerraformDocument,
  ledger: ledgerDocument,
  rehearse: rehearseDocument,
  report: reportDocument,
  review: reviewDocument,
  watch: watchDocument,
  webhook: webhookDocument,
  whoami: whoamiDocument,
};

/** The JSON Schema of every document, by name. Editors and validators support draft 7 best. */
export function documentSchemas(): Record<string, unknown> {
  // The input schema, because readers must accept members that a later version adds.
  const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { target: "draft-7", io: "input" });
  return Object.fromEntries(Object.entries(documents).map(([name, schema]) => [name, schemaOf(schema)]));
}
