import { group } from "../../provider/kinds/group";
import { testFaultMatrix } from "./fault-matrix-suite";

jest.mock("../../sdk/program/platform-client", () => jest.requireActual<object>("../support/program-client"));

testFaultMatrix(group);
