/**
 * Whether a request prefers a content type to JSON. It has to name the type, so that whoever takes anything or says
 * nothing gets JSON; of two that are wanted alike, the first counts.
 *
 * @param type in lower case.
 */
export function prefersType(accept: string | undefined, type: string): boolean {
  if (accept === undefined || !accept.toLowerCase().includes(type)) {
    return false;
  }
  const ranges = accept.split(",").map(readRange);
  const position = ranges.findIndex((range) => range.type === type);
  const wanted = ranges[position];
  const json = ["application/json", "application/*", "*/*"]
    .map((name) => ranges.findIndex((range) => range.type === name))
    .find((index) => index >= 0);
  const jsonRange = json === undefined ? undefined : ranges[json];
  if (wanted === undefined || wanted.quality === 0 || json === undefined || jsonRange === undefined) {
    return (wanted?.quality ?? 0) > 0;
  }
  const isTie = wanted.quality === jsonRange.quality;
  const isMoreSpecific = jsonRange.type !== "application/json";
  return isTie ? isMoreSpecific || position < json : wanted.quality > jsonRange.quality;
}

/** RFC 9110, section 12.4.2. A quality that is none counts as unwanted. */
function readRange(range: string): { readonly type: string; readonly quality: number } {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  const isQuality = given === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given);
  return { type, quality: isQuality ? Number(given ?? 1) : 0 };
}
