/** The database's time, moved by the milliseconds of a parameter. */
export function fromNow(parameter: number): string {
  return `clock_timestamp() + $${parameter}::float8 * interval '1 millisecond'`;
}
