// The pages of checks: under which headers, with which groups of checks.
// `threads` says where the headers let a reducer have more than one.
export const pages = [
  { name: 'page', set: 'plain', groups: 'environment,cases,growth,large,reducers' },
  { name: 'isolated page', set: 'isolated', groups: 'environment,cases,growth,large,reducers', threads: true, rounds: 200 },
  { name: 'strict policy', set: 'csp', groups: 'environment,cases,reducers' },
  { name: 'strict policy, isolated', set: 'isolated-csp', groups: 'environment,cases,reducers', threads: true },
  { name: 'policy with blob workers, isolated', set: 'isolated-csp-blob', groups: 'environment,reducers', threads: true },
  { name: 'policy without workers, isolated', set: 'isolated-csp-no-workers', groups: 'environment,reducers' },
  { name: 'policy without WebAssembly', set: 'csp-no-wasm', groups: 'environment,refused' },
  { name: 'module worker', set: 'plain', context: 'worker', groups: 'environment,cases,growth,reducers' },
  { name: 'module worker, isolated', set: 'isolated', context: 'worker', groups: 'environment,cases,growth,large,reducers', threads: true },
  { name: 'module worker, strict policy, isolated', set: 'isolated-csp', context: 'worker', groups: 'environment,cases,reducers', threads: true },
  { name: 'script tag, strict policy', set: 'csp', page: 'script_tag.html', library: 'script', groups: 'environment,cases,growth' },
  { name: 'importScripts', set: 'plain', context: 'worker', library: 'script', groups: 'environment,cases' },
  { name: 'from another origin', set: 'plain', cdn: true, groups: 'environment,cases,reducers' },
  { name: 'from another origin, isolated', set: 'isolated', cdn: true, groups: 'environment,cases,reducers', threads: true },
];

/** The address of a page whose report is awaited under an id. */
export function addressOf(page, { origin, cdnOrigin, report, engine }) {
  const { set, context, library, groups, threads, cdn, rounds } = page;
  const isolated = set.startsWith('isolated');
  const parameters = {
    report, groups,
    isolated: isolated ? 'yes' : 'no',
    // WebKitGTK has no shared memory, isolated or not: it may have it one day.
    ...(isolated && engine !== 'webkit' ? { sharedMemory: 'yes' } : {}),
    ...(set.includes('csp') ? { eval: 'no' } : {}),
    ...(context ? { context } : {}),
    ...(library ? { library } : {}),
    ...(threads ? { threads: 'yes' } : {}),
    ...(rounds ? { rounds } : {}),
    ...(cdn ? { dist: `${cdnOrigin}/cdn/dist/` } : {}),
  };
  return `${origin}/${set}/page/${page.page ?? 'checks.html'}?${new URLSearchParams(parameters)}`;
}
