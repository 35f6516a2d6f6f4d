/**
 * Whether a request prefers a stream of events to JSON. It has to name the stream, so that whoever takes anything or
 * says nothing gets JSON; of two that are wanted alike, the first counts.
 */
export function acceptsEvents(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/event-stream/i.test(accept)) {
    return false;
  }
  const ranges = accept.split(",").map(readRange);
  const position = ranges.findIndex(({ type }) => type === "text/event-stream");
  const events = ranges[position];
  const json = ["application/json", "application/*", "*/*"]
    .map((type) => ranges.findIndex((range) => range.type === type))
    .find((index) => index >= 0);
  const jsonRange = json === undefined ? undefined : ranges[json];
  if (events === undefined || events.quality === 0 || json === undefined || jsonRange === undefined) {
    return (events?.quality ?? 0) > 0;
  }
  const isTie = events.quality === jsonRange.quality;
  const isMoreSpecific = jsonRange.type !== "application/json";
  return isTie ? isMoreSpecific || position < json : events.quality > jsonRange.quality;
}

/** RFC 9110, section 12.4.2. A quality that is none counts as unwanted. */
function readRange(range: string): { readonly type: string; readonly quality: number } {
  const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, "");
  const isQuality = given === undefined || /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given);
  return { type, quality: isQuality ? Number(given ?? 1) : 0 };
}
