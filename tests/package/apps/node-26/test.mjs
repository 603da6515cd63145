import { nodeRelease } from '../../node_release.mjs';

export default nodeRelease('26.10.0');
