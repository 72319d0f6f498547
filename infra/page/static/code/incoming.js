/** What somebody brings in, as the service wants it: notes for the memory, or single facts. */

const EVERYTHING = "context-memory/export";
const FACTS = "context-memory/facts";

/** Whether a text is more likely single facts than notes: facts of an export, JSON lines, bullets under tiers. */
export function looksLikeFacts(text) {
  const document = parsed(text);
  if (document?.format === EVERYTHING) return false;
  return listOf(document) !== null || isLines(text) || /^ {0,3}#{1,6}[ \t]+(core|contextual|archival)[ \t#]*$/im.test(text);
}

/** The body of an import of notes: an export as the document that it is, anything else as Markdown. */
export function notesFile(text) {
  const document = parsed(text);
  return document?.format === EVERYTHING ? document : { memory: text };
}

/**
 * An import of single facts: its `body`, and `words(line)`, what stands on a line of which the service tells by its
 * number, which counts entries where the file is a list.
 */
export function factsFile(text) {
  const document = parsed(text), list = listOf(document);
  if (list) {
    const owner = document.user_id === undefined ? {} : { user_id: document.user_id };
    return { body: { facts: list, ...owner }, words: (line) => wordsOf(list[line - 1]) };
  }
  if (isLines(text)) {
    const lines = text.split("\n");
    return { body: { jsonl: text }, words: (line) => wordsOf(parsed(lines[line - 1]) ?? lines[line - 1]) };
  }
  const lines = text.split(/\r\n?|\n/);
  return { body: { markdown: text }, words: (line) => (lines[line - 1] ?? "").replace(/^\s*[-*+]\s+/, "").trim() };
}

/** The facts of a document, null where it is none that has any. */
function listOf(document) {
  if (Array.isArray(document)) return document;
  return [EVERYTHING, FACTS].includes(document?.format) && Array.isArray(document.facts) ? document.facts : null;
}

/** Whether the first line that says something is JSON: then all are read so. */
function isLines(text) {
  const first = text.replace(/^\ufeff/, "").split("\n").find((line) => line.trim()) ?? "";
  const value = parsed(first);
  return typeof value === "string" || (typeof value === "object" && value !== null && !Array.isArray(value));
}

function wordsOf(entry) {
  const text = typeof entry === "string" ? entry : entry?.text;
  return typeof text === "string" ? text.trim() : "";
}

function parsed(text) {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return null;
  }
}
