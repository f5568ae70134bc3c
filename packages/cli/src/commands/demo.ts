export async function demo(_url: string | undefined): Promise<void> {}
