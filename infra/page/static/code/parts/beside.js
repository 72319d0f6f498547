/** What a view shows beside its own, and does without where it cannot be fetched. */

import { Problem, Unreachable } from "../service.js";

/** What `fetched` gives; `otherwise` where the service does not give it. */
export async function orElse(fetched, otherwise) {
  try {
    return await fetched;
  } catch (error) {
    if (error instanceof Problem || error instanceof Unreachable) return otherwise;
    throw error;
  }
}
