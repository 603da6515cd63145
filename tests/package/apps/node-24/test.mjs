import { nodeRelease } from '../../node_release.mjs';

export default nodeRelease('24.21.0');
