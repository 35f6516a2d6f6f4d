type Escapes = Readonly<Record<string, string>>;

const text: Escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** How writers of XML and HTML escape: in a text or in an attribute, and each library with references of its own. */
const writers: readonly Escapes[] = [
  text,
  { "&": "&amp;", "<": "&lt;" },
  { "&": "&amp;", "<": "&lt;", '"': "&quot;" },
  { ...text, '"': "&quot;" },
  { ...text, '"': "&quot;", "'": "&apos;" },
  { ...text, '"': "&quot;", "'": "&#39;" },
  { ...text, '"': "&quot;", "'": "&#x27;" },
  { ...text, '"': "&#34;", "'": "&#39;" }, // Go for HTML
  { ...text, '"': "&#34;", "'": "&#39;", "\t": "&#x9;", "\n": "&#xA;", "\r": "&#xD;" }, // Go for XML
];

const special = /[&<>"'\t\r\n]/;

/** The forms of a value in XML and HTML, such as an error of a cloud may have, but for the value itself. */
export function xmlSpellings(value: string): string[] {
  if (!special.test(value)) {
    return [];
  }
  const forms = writers.map((escapes) => value.replaceAll(/[&<>"'\t\r\n]/g, (found) => escapes[found] ?? found));
  return [...new Set(forms)].filter((form) => form !== value);
}
