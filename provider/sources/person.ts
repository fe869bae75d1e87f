import { issuerUrl, someText } from "../schema/inputs";
import type { ClientSource } from "./source";

/** The uid of a person, by the person's login on the platform. */
export const person: ClientSource<{ readonly uid: string }> = {
  call: "getPerson",
  area: "iam",
  rules: () => ({ issuer: issuerUrl, subject: someText }),
  usage: "which person? Pass { issuer, subject }.",
  async read(asked, client) {
    return { uid: await client.lookUpIdentity(String(asked["issuer"]), String(asked["subject"])) };
  },
};
