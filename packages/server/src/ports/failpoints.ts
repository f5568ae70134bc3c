/** Named places where a test makes the process die or wait. In production every one of them does nothing. */
export type Failpoints = { reach(name: string): Promise<void> }
