import { externalGroupRoleMapping } from "../../provider/kinds/external-group-role-mapping";
import { testFaultMatrix } from "./fault-matrix-suite";

jest.mock("../../sdk/program/platform-client", () => jest.requireActual<object>("../support/program-client"));

testFaultMatrix(externalGroupRoleMapping);
