import type { Start } from "./pattern-starts";
import type { SharedIssuer } from "./shared-issuer";
import { sharedIssuers } from "./shared-issuers";
import { tenantIn } from "./tenant-part";

/** The customers whose tokens an issuer, or a pattern of issuers, accepts. */
export interface IssuerLimits {
  /** Services with a shared issuer for all customers that is accepted. The rest of the login must name one of their customers. */
  readonly shared: readonly SharedIssuer[];
  /** Services with one issuer for each customer, if no customer is named. */
  readonly open: readonly SharedIssuer[];
  /** True if an issuer is accepted that no service is known to share. */
  readonly isOwn: boolean;
}

/** The issuers that all customers of a service share, in comparable form. */
const exactIssuers = sharedIssuers
  .filter(({ issuer }) => !issuer.includes("*"))
  .map((each) => [`${comparable(each.issuer)}/`, each] as const);

/** The service whose customers share the issuer; undefined for an issuer of one customer, or an unknown one. */
export function sharedIssuer(url: string): SharedIssuer | undefined {
  const sought = `${comparable(url)}/`;
  return exactIssuers.find(([issuer]) => issuer.startsWith(sought))?.[1];
}

/** A form for comparison. Issuers that differ only in case, in a slash at the end or in the usual port have the same address. */
function comparable(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https:\/\//, "")
    .replace(/^([^/:]*?)\.?(?::443)?(?=\/|$)/, "$1")
    .replace(/\/+$/, "");
}

/** A literal host, which is followed by a port, a slash or the end. */
const literalHost = /^https:\/\/([^/:?#@\\]+)(?::(\d+))?(\/|$)/;

/** The limits of issuers that begin with these texts; undefined if one of them does not name a host. */
export function limitsOf(starts: readonly Start[]): IssuerLimits | undefined {
  const all = starts.map(limitsOfStart);
  if (!all.every((each) => each !== undefined)) return undefined;
  return {
    shared: all.flatMap(({ shared }) => shared),
    open: all.flatMap(({ open }) => open),
    isOwn: all.some(({ isOwn }) => isOwn),
  };
}

function limitsOfStart({ text, isWhole }: Start): IssuerLimits | undefined {
  const [found = "", name = "", port = "443", end] = literalHost.exec(text) ?? [];
  if (found === "" || (end === "" && !isWhole)) return undefined;
  const host = name.toLowerCase().replace(/\.$/, "");
  const address = `https://${host}${port === "443" ? "" : `:${port}`}`;
  const start = { text: `${address}${end}${text.slice(found.length)}`, isWhole };
  const reached = sharedIssuers.flatMap((each) => {
    const issuer = at(host, each.issuer);
    return issuer !== undefined && isReached(issuer, start) ? [each] : [];
  });
  const isProvable = ({ subjects = [], claims = {} }: SharedIssuer) => subjects.length + Object.keys(claims).length > 0;
  return {
    shared: reached.filter(isProvable),
    open: reached.filter((each) => !isProvable(each)),
    isOwn: reached.length === 0,
  };
}

/** The form of issuers with `host` in place of its own host; undefined for another host. `&` stands for a region. */
function at(host: string, issuer: string): string | undefined {
  const [, own = "", path = ""] = /^https:\/\/([^/]+)(.*)$/.exec(issuer) ?? [];
  const [before = "", after] = own.split("&");
  const isSame = after === undefined ? host === own : host.startsWith(before) && host.endsWith(after);
  return isSame ? `https://${host}${path}` : undefined;
}

/** True if a value with this beginning may be the issuer, or an issuer of the form that names no customer. */
function isReached(issuer: string, { text, isWhole }: Start): boolean {
  if (issuer.includes("*")) {
    if (tenantIn(issuer, { text, isWhole }) !== undefined) return false;
    const [before = ""] = issuer.split("*");
    return text.startsWith(before) || (!isWhole && before.startsWith(text));
  }
  const base = issuer.replace(/\/+$/, "");
  return isWhole ? text.replace(/\/+$/, "") === base : `${base}/`.startsWith(text);
}
