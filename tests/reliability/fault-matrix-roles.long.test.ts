import { role } from "../../provider/kinds/role";
import { testFaultMatrix } from "./fault-matrix-suite";

jest.mock("../../sdk/program/platform-client", () => jest.requireActual<object>("../support/program-client"));

testFaultMatrix(role);
