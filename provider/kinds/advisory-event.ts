import { answeredMessage, enumeration, listOf, text, time } from "./fields";

/** A remark on an event. */
const note = text();

const detection = answeredMessage("AdvisoryDetection", {
  /** Set if a person reported it. */
  manual: answeredMessage("AdvisoryManualDetection", {}),
  /** Set if the National Vulnerability Database reports it. */
  nvdapi: answeredMessage("AdvisoryDatabaseDetection", {
    /** The CPE name that was searched for. */
    cpeSearched: text(),
    /** The CPE name that was found. */
    cpeFound: text(),
  }),
  /** Set if a scanner found it. */
  scanv1: answeredMessage("AdvisoryScanDetection", {
    /** Name of the scanner. */
    scanner: text(),
    /** Version of the scanner. */
    scannerVersion: text(),
    /** When the scanner's database was built. */
    grypeDbBuilt: text(),
    /** Checksum of the scanner's database. */
    grypeDbChecksum: text(),
    /** Version of the scanned artifact. */
    artifactVersion: text(),
    /** Name of the package in which the artifact has the component. */
    subpackage: text(),
    /** Id of the component, by the scanner. */
    componentId: text(),
    /** Name of the component. */
    component: text(),
    /** Version of the component. */
    componentVersion: text(),
    /** Type of the component. */
    componentType: text(),
    /** Where the artifact has the component. */
    componentLocation: text(),
  }),
});

/** One step in the history of an advisory. */
export const advisoryEvent = answeredMessage("AdvisoryEvent", {
  /** Uid of the event. */
  uid: text(),
  /** When the event was added, RFC 3339. */
  createTime: time(),
  /** Who added the event. */
  author: text(),
  /** Who reviewed the event; empty if nobody has. */
  reviewer: text(),
  /** State of the review, `REVIEW_STATE_…`; empty if unknown. */
  reviewState: enumeration(),
  /** What the author found, in Base64; empty if unset. */
  findings: text(),
  /** The issue that tracks the event; empty if unset. */
  issue: text(),
  /** Set if the vulnerability was detected. */
  detection,
  /** Set if the vulnerability was confirmed. */
  truePositiveDetermination: answeredMessage("AdvisoryTruePositive", {
    /** A remark. */
    note,
  }),
  /** Set if the vulnerability is fixed. */
  fixed: answeredMessage("AdvisoryFixed", {
    /** The first version without the vulnerability. */
    fixedVersion: text(),
    /** Version of the scanner that confirmed it. */
    scannerVersion: text(),
    /** When the scanner's database was built. */
    grypeDbBuilt: text(),
    /** Checksum of the scanner's database. */
    grypeDbChecksum: text(),
    /** A remark. */
    note,
  }),
  /** Set if the detection was wrong. */
  falsePositiveDetermination: answeredMessage("AdvisoryFalsePositive", {
    /** Why it was wrong, `TYPE_…`; empty if unknown. */
    type: enumeration(),
    /** A remark. */
    note,
  }),
  /** Set if it will not be analysed. */
  analysisNotPlanned: answeredMessage("AdvisoryAnalysisNotPlanned", {
    /** A remark. */
    note,
  }),
  /** Set if it will not be fixed. */
  fixNotPlanned: answeredMessage("AdvisoryFixNotPlanned", {
    /** A remark. */
    note,
  }),
  /** Set if the fix must come from upstream. */
  pendingUpstreamFix: answeredMessage("AdvisoryPendingUpstreamFix", {
    /** A remark. */
    note,
  }),
  /** Set if versions of the component were patched. */
  patched: answeredMessage("AdvisoryPatched", {
    /** The patched versions. */
    patchedVersions: listOf(text()),
    /** A remark. */
    note,
  }),
});
