export async function checkDemo() { return []; }
