// A document as it is read best; one that is no JSON as it is.
export function pretty(document: string): string {
  try {
    return JSON.stringify(JSON.parse(document), null, 2);
  } catch {
    return document;
  }
}
