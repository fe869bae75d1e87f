import { accountAssociation } from "../../provider/kinds/account-association";
import { testFaultMatrix } from "./fault-matrix-suite";

jest.mock("../../sdk/program/platform-client", () => jest.requireActual<object>("../support/program-client"));

testFaultMatrix(accountAssociation);
