import ts from "typescript";
import { argumentOf, files, Program } from "./program";
import type { Comments } from "./walk";

/**
 * The doc comments of everything that the package declares, by dotted path. Paths are `Group`, `Group.parentUid`,
 * `Identity.claimMatch.issuer`, `Group?name` for a filter of its List, `adopt` and `uid` of every resource, `?uids` for arguments of all
 * data sources, members of a `Provider`, `Organization.file`, and `GroupContents.access` for entries of an `Organization`. The comments are read with the
 * compiler's own types like in editors, so that a field may be declared in any file and wrapped in any way.
 */
export function readComments(): Comments {
  const reader = new Reader(Program.get());
  for (const list of ["readableKinds", "composites", "values"]) reader.kinds(list);
  reader.member("?uid", files.dataSources, "ByUid", "uid");
  for (const name of ["name", "parentUid", "parentPath"]) reader.member(`?${name}`, files.dataSources, "ByName", name);
  reader.members("?", files.list, "ListScope");
  reader.member("adopt", files.classes, "AdoptArgs", "adopt");
  reader.members("Provider.", files.providerArguments, "ProviderArgs");
  reader.exported("Provider", files.provider);
  reader.member("uid", files.resource, "PlatformResource", "uid");
  for (const name of ["identities", "access", "groups"])
    reader.member(`GroupContents.${name}`, files.entries, "GroupContents", name);
  for (const name of ["GroupEntry", "IdentityEntry"]) reader.exported(name, files.entries);
  for (const name of ["parentUid", "roles", "accessAs", "file"])
    reader.member(`Organization.${name}`, files.organization, "OrganizationFile", name);
  reader.member("Organization.groups", files.organization, "OrganizationTree", "groups");
  reader.exported("Organization", files.organization);
  for (const name of ["pipeline", "access"]) reader.member(`Team.${name}`, files.team, "TeamArgs", name);
  reader.exported("Team", files.team);
  return reader.comments;
}

class Reader {
  readonly comments = new Map<string, string>();

  constructor(private readonly program: Program) {}

  /** Adds the comment of the export `name` of `file`. */
  exported(name: string, file: string): void {
    this.#addIfAny(name, this.program.exported(file, name));
  }

  /** Adds the comment of a member of the type exported by `file`. */
  member(name: string, file: string, type: string, member: string): void {
    const found = this.#declared(file, type).getProperty(member);
    this.comments.set(name, this.program.requiredComment(found, `${type}.${member}`));
  }

  /** Adds the comments of all members of the type exported by `file`. */
  members(prefix: string, file: string, type: string): void {
    for (const { name } of this.#declared(file, type).getProperties()) this.member(`${prefix}${name}`, file, type, name);
  }

  /** Adds the comments of the kinds in the list `list` exported by kinds.ts, and of their fields. */
  kinds(list: string): void {
    const { program } = this;
    for (const property of program.typeOf(program.exported(files.kinds, list)).getProperties()) this.#kind(property);
  }

  #declared(file: string, type: string): ts.Type {
    return this.program.checker.getDeclaredTypeOfSymbol(this.program.exported(file, type));
  }

  #kind(property: ts.Symbol): void {
    const { program } = this;
    const variable = this.#variable(property);
    const name = classNameIn(variable);
    const type = program.typeOf(variable);
    this.comments.set(name, program.requiredComment(variable, name));
    for (const field of this.#membersOf(type, "fields")) this.#field(`${name}.${field.name}`, field);
    for (const filter of this.#membersOf(type, "filterValues")) {
      const path = `${name}?${filter.name}`;
      this.comments.set(path, program.requiredComment(filter, path));
    }
  }

  /** The members of the value of the member `name` of a type; empty if the type has no such member. */
  #membersOf(type: ts.Type, name: string): readonly ts.Symbol[] {
    const member = type.getProperty(name);
    if (member === undefined) return [];
    return this.program.checker.getNonNullableType(this.program.typeOf(member)).getProperties();
  }

  /** The declaration of the variable in a shorthand property such as `{ group }`. */
  #variable(property: ts.Symbol): ts.Symbol {
    const value = this.program.checker.getShorthandAssignmentValueSymbol(property.valueDeclaration) ?? property;
    return this.program.original(value);
  }

  #field(name: string, field: ts.Symbol): void {
    this.#addIfAny(name, field);
    // The value in programs, and the value in data sources.
    for (const side of ["value", "shown"]) {
      const member = this.program.typeOf(field).getProperty(side);
      if (member) this.#messages(name, this.program.typeOf(member));
    }
  }

  /** Adds the comments of the members of a message, also within lists and maps. */
  #messages(prefix: string, type: ts.Type): void {
    const value = this.program.checker.getNonNullableType(type);
    const forms = value.isUnion() ? value.types : [value];
    // A text may stand in place of a message.
    const messages = forms.filter((form) => !(form.flags & ts.TypeFlags.StringLike));
    if (messages.length < forms.length) {
      for (const form of messages) this.#messages(prefix, form);
      return;
    }
    if (!forms.every((form) => form.flags & ts.TypeFlags.Object || form.isIntersection())) return;
    const item = value.getNumberIndexType() ?? value.getStringIndexType();
    if (item) {
      this.#messages(prefix, item);
      return;
    }
    for (const member of value.getProperties()) {
      const name = `${prefix}.${member.name}`;
      this.#addIfAny(name, member);
      this.#messages(name, this.program.typeOf(member));
    }
  }

  #addIfAny(name: string, symbol: ts.Symbol): void {
    const comment = this.program.comment(symbol);
    if (comment !== undefined) this.comments.set(name, comment);
  }
}

/** The `name` of a declaration, which is the name of its class. */
function classNameIn(variable: ts.Symbol): string {
  const declaration = argumentOf(variable);
  const properties = declaration && ts.isObjectLiteralExpression(declaration) ? declaration.properties : [];
  for (const property of properties) {
    if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name) || property.name.text !== "name") continue;
    if (ts.isStringLiteral(property.initializer)) return property.initializer.text;
  }
  throw new Error(`${variable.name} is not declared with a name.`);
}
