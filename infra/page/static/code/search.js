/** Looking for words in what is shown. */

/** Those facts that hold every word of `wanted`, whatever its case and accents; all of them for nothing. */
export function matching(facts, wanted) {
  const words = plain(wanted).split(/\s+/).filter(Boolean);
  return facts.filter(({ text, keywords }) => {
    const said = plain([text, ...keywords].join(" "));
    return words.every((word) => said.includes(word));
  });
}

function plain(text) {
  return text.normalize("NFKD").replace(/\p{Mark}/gu, "").toLowerCase();
}
