/** Files that a person keeps or brings. */

/** Let the browser save text under a name. */
export function keep(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  URL.revokeObjectURL(address);
}

/** Today's date, for names of files. */
export function today() {
  return new Date().toISOString().slice(0, 10);
}

/** Save all that is kept about the person as one JSON document. */
export async function keepExport(service) {
  const { body } = await service.takeOut();
  keep(`memory-${today()}.json`, "application/json", JSON.stringify(body, null, 2));
}
