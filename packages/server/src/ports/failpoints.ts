/** Named places where a test makes the process die or wait. In production they do nothing. */
export type Failpoints = { reach(name: string): Promise<void> }
