/** Whether a version such as `v3.259.0`, `24.1.0-rc.1` or `1.26` is at least another, by its three numbers. */
export function isAtLeast(version, minimum) {
  return compareVersions(version, minimum) >= 0;
}

/** Order of two versions by their three numbers, as a negative, zero or positive number. */
export function compareVersions(left, right) {
  const [a, b] = [numbers(left), numbers(right)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function numbers(version) {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(version);
  return match ? match.slice(1).map((part) => Number(part ?? 0)) : [0, 0, 0];
}
