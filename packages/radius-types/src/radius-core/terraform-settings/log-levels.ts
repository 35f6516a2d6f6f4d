/** What `TF_LOG` can be, in any case. */
export const logLevels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF", "JSON"];
