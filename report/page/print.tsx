import { render } from "preact";
import { Notes } from "./drift";
import type { Organization } from "./organization";

/** The version for paper, with every group and its grants. Rendered only while the page is printed. */
export function printWhole(organization: Organization, target: HTMLElement): void {
  addEventListener("beforeprint", () => {
    render(<Paper organization={organization} />, target);
  });
  addEventListener("afterprint", () => render(null, target));
}

function Paper({ organization }: { readonly organization: Organization }) {
  const { findings, gaps, notes, readAt, unreadable } = organization.data;
  return (
    <>
      <h1>Access in {organization.data.title}</h1>
      <p>Read at {readAt}. A role holds in its group and in every group below.</p>
      {unreadable.length > 0 && <h2>Could not be read: what follows is incomplete</h2>}
      <ul>
        {unreadable.map(({ what, reason }) => (
          <li key={what}>
            {what}: {reason}
          </li>
        ))}
      </ul>
      <Notes notes={gaps} />
      {findings && <h2>Drift ({findings.length})</h2>}
      <Notes notes={notes} />
      <ul>
        {findings?.map(({ severity, class: name, message }) => (
          <li key={message}>
            {severity}, {name}: {message}
          </li>
        ))}
      </ul>
      <h2>Groups ({organization.groups.size})</h2>
      {[...organization.groups.keys()].map((uid) => (
        <section key={uid}>
          <h3>{organization.pathOf(uid)}</h3>
          <ul>
            {organization.grantedIn(uid).map((grant) => (
              <li key={grant.uid}>
                {organization.roleName(grant.role)}: {organization.pathOf(grant.holder)} (
                {organization.holders.get(grant.holder)?.login})
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
