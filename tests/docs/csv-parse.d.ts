/** As much of `csv-parse/sync` 7 as a guide uses: nothing else here needs the package. */
export function parse<Row>(
  text: Buffer,
  options: { bom: boolean; trim: boolean; columns: (header: string[]) => readonly string[] },
): Row[];
