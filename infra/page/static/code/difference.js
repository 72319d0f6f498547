/**
 * What differs between two states of the memory, and a person's change carried out on another state than it was made
 * on. Sections are `[{heading, bullets: [text]}]`, operations `{kind, section, before, after}`. No page is needed here.
 */

/** One spelling for texts that differ in white space only, as the service has it. */
export function fold(text) {
  return text.split(/\s+/).filter(Boolean).join(" ");
}

/** Sections as they are sent: headings and texts. */
export function texts(sections) {
  return sections.map(({ heading, bullets }) => ({ heading, bullets: bullets.map((bullet) => bullet.text ?? bullet) }));
}

/** Operations that lead from one state to the other; a bullet whose words mostly stay is changed, others come and go. */
export function between(before, after) {
  const old = bySection(before), fresh = bySection(after);
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((section) =>
    inSection(section, old.get(section) ?? [], fresh.get(section) ?? []),
  );
}

function bySection(sections) {
  return new Map(texts(sections).map(({ heading, bullets }) => [heading, bullets]));
}

function inSection(section, before, after) {
  const stays = new Set(before.map(fold)), stands = new Set(after.map(fold));
  const gone = before.filter((text) => !stands.has(fold(text)));
  const come = after.filter((text) => !stays.has(fold(text)));
  const operations = gone.map((text) => {
    const at = come.findIndex((other) => alike(text, other));
    return at < 0
      ? { kind: "removed", section, before: text, after: null }
      : { kind: "changed", section, before: text, after: come.splice(at, 1)[0] };
  });
  return [...operations, ...come.map((text) => ({ kind: "added", section, before: null, after: text }))];
}

function alike(one, other) {
  const words = new Set(fold(one).toLowerCase().split(" ")), others = fold(other).toLowerCase().split(" ");
  const shared = others.filter((word) => words.has(word)).length;
  return 2 * shared >= Math.max(words.size, others.length);
}

/**
 * One operation on sections: `{sections, fits}`. It fits unless the bullet that it changes or removes stands no more;
 * then a changed text is added, and a removal does nothing. A section that is missing, as all are in an empty memory,
 * begins with what is put there.
 */
export function carriedOut(operation, sections) {
  let fits = operation.before === null;
  const there = sections.some(({ heading }) => heading === operation.section);
  const all = there || operation.after === null ? sections : [...sections, { heading: operation.section, bullets: [] }];
  const changed = texts(all).map(({ heading, bullets }) => {
    if (heading !== operation.section) return { heading, bullets };
    const at = operation.before === null ? -1 : bullets.findIndex((text) => fold(text) === fold(operation.before));
    fits ||= at >= 0;
    const put = operation.after === null ? [] : [operation.after];
    return { heading, bullets: at < 0 ? [...bullets, ...put] : bullets.toSpliced(at, 1, ...put) };
  });
  return { sections: changed, fits };
}

/** The operation that takes another one back. */
export function inverse({ kind, section, before, after }) {
  const kinds = { added: "removed", removed: "added", changed: "changed" };
  return { kind: kinds[kind], section, before: after, after: before };
}

/** Both texts as runs `{text, same}` of words, for marking what differs between them. */
export function marked(before, after) {
  const old = before.split(/(?<=\s)/), fresh = after.split(/(?<=\s)/);
  const shared = longestCommon(old, fresh);
  return [runs(old, shared.map(([at]) => at)), runs(fresh, shared.map(([, at]) => at))];
}

function runs(words, kept) {
  const same = new Set(kept), found = [];
  words.forEach((word, at) => {
    const last = found.at(-1);
    if (last?.same === same.has(at)) last.text += word;
    else found.push({ text: word, same: same.has(at) });
  });
  return found;
}

/** Places `[in one, in other]` of the longest sequence of words that both have. */
function longestCommon(one, other) {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i -= 1)
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i][j] =
        one[i].trim() === other[j].trim() ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const places = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i].trim() === other[j].trim()) places.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i += 1;
    else j += 1;
  }
  return places;
}
