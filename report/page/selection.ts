import { useEffect, useState } from "preact/hooks";
import type { Organization } from "./organization";

/** The object in the address of the page, or the root if it is not part of the report. Follows the address. */
export function useSelection(organization: Organization): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return selectionOf(organization, hash);
}

function selectionOf({ data, groups, holders }: Organization, hash: string): string {
  try {
    const uid = decodeURIComponent(hash.slice(1));
    return groups.has(uid) || holders.has(uid) || Object.hasOwn(data.roles, uid) ? uid : data.root;
  } catch {
    return data.root;
  }
}
