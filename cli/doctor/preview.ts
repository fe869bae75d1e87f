import { knownOnline } from "../review/known";
import { reviewOf } from "../review/review";
import { byReason, rightsText } from "../review/rights-text";
import { previewFrom } from "../review/run-preview";
import type { Finding } from "../documents/doctor";
import type { Connection } from "../shell/settings";

/**
 * Whether the identity that will run the previewed update may make its calls.
 *
 * @param file `-` is standard input
 * @param configured the stack's configuration, if there is a stack
 * @param connected a connection with that configuration
 * @throws PlatformError `INVALID_INPUT` for a file that is no preview
 */
export async function previewFindings(
  file: string,
  configured: Readonly<Record<string, string | undefined>> | undefined,
  connected: Connection,
): Promise<Finding[]> {
  const check = "preview";
  const preview = await previewFrom({ file });
  const review = reviewOf(preview, await knownOnline(preview, configured, { connected }));
  const { refused = [], unchecked = [] } = review.rights ?? {};
  const { title, others } = rightsText(review);
  const fix = "Bind a role with the missing capabilities to that identity, there or above.";
  const found = [
    ...preview.errors.map((error): Finding => ({ check, status: "problem", message: `The preview failed: ${error}` })),
    ...byReason(refused).map((line): Finding => ({ check, status: "problem", message: `${title}: refused: ${line}.`, fix })),
    ...byReason(unchecked).map((line): Finding => ({ check, status: "warning", message: `${title}: not checked: ${line}.` })),
  ];
  const message = others.length === 0 ? "It shows no call." : `${title}: ${others.join("; ")}.`;
  return found.length > 0 ? found : [{ check, status: "ok", message }];
}
