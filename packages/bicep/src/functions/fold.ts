import { callFunction, TemplateError } from "@rad/templates";
import type { FoldHost } from "../types/index.ts";

/** Folds literal calls with the functions that templates are evaluated with, so that both always agree. */
export const templateFold: FoldHost = {
  call(name, values) {
    try {
      return { value: callFunction(name, values) };
    } catch (error) {
      if (error instanceof TemplateError) {
        return { error: error.message };
      }
      throw error;
    }
  },
};
