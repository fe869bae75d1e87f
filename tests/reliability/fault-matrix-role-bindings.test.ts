import { roleBinding } from "../../provider/kinds/role-binding";
import { testFaultMatrix } from "./fault-matrix-suite";

jest.mock("../../sdk/program/platform-client", () => jest.requireActual<object>("../support/program-client"));

testFaultMatrix(roleBinding);
